/**
 * Keeps the page true while the browser translates it. A translator replaces each of our text nodes by a `<font>` with its
 * own words, and Svelte would go on writing into nodes that nobody sees. So our node returns to its place, empty, and the
 * translation stands behind it until the page says something else there.
 */

/** What stands for one of our text nodes, and what the node said before. */
interface Translation {
  font: Element;
  words: string;
}

const translations = new WeakMap<Node, Translation>();
const translated = new WeakMap<Node, Text>(); // our text nodes by what stands for them

/** Called once, before there is anything to translate. */
export function outliveTranslators(page: Node): void {
  const observer = new MutationObserver((records) => {
    const moved = new Set<Text>();
    for (const record of records) {
      if (record.type === "characterData") written(record.target as Text);
      else if (!isFont(record.target)) for (const node of record.removedNodes) removed(node, record, moved);
    }
    moved.forEach(settle);
    observer.takeRecords(); // what was done here
  });
  observer.observe(page, { childList: true, characterData: true, subtree: true });
}

const isFont = (node: Node | null): node is Element => node?.nodeName === "FONT";
const isText = (node: Node): node is Text => node.nodeType === Node.TEXT_NODE;

/** The page says something else: that is to be seen, and may be translated again. */
function written(text: Text): void {
  translations.get(text)?.font.remove();
  translations.delete(text);
}

function removed(node: Node, record: MutationRecord, moved: Set<Text>): void {
  const text = translations.has(node) ? (node as Text) : translated.get(node);
  if (text) {
    moved.add(text);
    if (text !== node) record.addedNodes.forEach((added) => added !== text && isText(added) && added.remove()); // the original, put back
  } else if (isText(node) && (!node.isConnected || isFont(node.parentNode))) {
    const font = [node.parentNode, ...record.addedNodes, record.previousSibling, record.nextSibling].find((one) => isFont(one) && !translated.has(one));
    if (font) replaced(node, outermost(font as Element));
  }
}

function replaced(text: Text, font: Element): void {
  if (font.contains(text)) text.replaceWith(text.cloneNode()); // some translators take the node itself along
  translations.set(text, { font, words: text.data });
  translated.set(font, text);
  text.data = "";
  font.before(text);
}

/** Our node or its translation was moved or taken away: they stay together, or the translation goes. */
function settle(text: Text): void {
  const translation = translations.get(text);
  if (!translation) return;
  const { font, words } = translation;
  if (text.isConnected && font.isConnected) {
    if (text.nextSibling !== font) text.after(font);
  } else {
    written(text);
    text.data = words;
  }
}

function outermost(font: Element): Element {
  return isFont(font.parentNode) ? outermost(font.parentNode) : font;
}
