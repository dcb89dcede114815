/**
 * Keeps the page true while the browser translates it. Translators put words of their own in the place of our nodes, or take
 * some of them away, and Svelte would go on writing into nodes that nobody sees. So our nodes return to their places, the
 * texts among them empty, and the translation stands beside them until the page says something else there.
 */

/** What a translator made of an element: the nodes that it brought, and our words that gave way to them. */
interface Translation {
  place: Node;
  strangers: Set<ChildNode>;
  words: Map<Text, string>;
}

const translations = new WeakMap<Node, Translation>(); // by the element, and by each of our texts
const strange = new WeakSet<Node>();

/** Called once, before there is anything to translate. */
export function outliveTranslators(page: Node): void {
  const observer = new MutationObserver((records) => {
    const places = new Map<Node, MutationRecord[]>();
    for (const record of records) {
      const place = record.type === "characterData" ? record.target.parentNode : record.target;
      if (place && isOurs(record.target)) places.set(place, [...(places.get(place) ?? []), record]);
    }
    places.forEach(follow);
    observer.takeRecords(); // what was done here
  });
  observer.observe(page, { childList: true, characterData: true, characterDataOldValue: true, subtree: true });
}

const isFont = (node: Node): boolean => node.nodeName === "FONT";
const isText = (node: Node): node is Text => node.nodeType === Node.TEXT_NODE;

function isOurs(node: Node | null): boolean {
  return !node || (!strange.has(node) && !isFont(node) && isOurs(node.parentNode));
}

/** What Svelte wrote last into a text, as it remembers it; undefined for words that never change. */
function said(text: Text): string | undefined {
  const memory = Object.getOwnPropertySymbols(Text.prototype).find(({ description }) => description === "text")!;
  const words = (text as unknown as Record<symbol, unknown>)[memory];
  return words === undefined ? undefined : `${words}`;
}

function follow(records: MutationRecord[], place: Node): void {
  const lists = records.filter(({ type }) => type === "childList");
  const texts = records.filter(({ type }) => type === "characterData");
  for (const known of new Set([place, ...texts.map(({ target }) => target)].map((node) => translations.get(node))))
    if (known && [...known.words].some(([text, words]) => (said(text) ?? words) !== words)) restore(known);
  const isTranslated = lists.some(isReplacement) || isRefilled(lists);
  const left = translations.get(place);
  if (left && lists.length && !isTranslated) restore(left); // the page has something else there
  for (const { target, oldValue } of texts)
    if ((target as Text).data !== said(target as Text)) silence(target as Text, oldValue ?? "", of(place));
  if (isTranslated) translated(place, lists);
}

/** Svelte inserts and removes, each by itself, and makes no `<font>`. */
function isReplacement({ addedNodes, removedNodes }: MutationRecord): boolean {
  return (addedNodes.length > 0 && removedNodes.length > 0) || [...addedNodes].some(isFont);
}

/** Whether an element was emptied node by node, and some came back: so does Firefox with a phrase that it translates. */
function isRefilled(lists: MutationRecord[]): boolean {
  const end = lists.findIndex((one) => one.removedNodes.length === 1 && !one.previousSibling && !one.nextSibling);
  const taken = new Set(lists.slice(0, end + 1).flatMap(({ removedNodes }) => [...removedNodes]));
  return lists.slice(end + 1).some(({ addedNodes }) => [...addedNodes].some((node) => taken.has(node)));
}

function of(place: Node): Translation {
  const translation = translations.get(place) ?? { place, strangers: new Set(), words: new Map() };
  translations.set(place, translation);
  return translation;
}

/** The words of a text give way to a translation. */
function silence(text: Text, words: string, translation: Translation): void {
  if (translation.words.has(text)) return;
  translation.words.set(text, said(text) ?? words);
  translations.set(text, translation);
}

function translated(place: Node, lists: MutationRecord[]): void {
  const translation = of(place);
  const { strangers, words } = translation;
  const replaced = new Set(lists.filter(({ addedNodes }) => addedNodes.length).flatMap(({ removedNodes }) => [...removedNodes]));
  const isGone = (node: Node) => node.parentNode !== place;
  const isOwn = (node: ChildNode) => !strangers.has(node) && !(node instanceof Element && isGone(node) && !replaced.has(node));
  const own = before(place, lists).filter(isOwn);
  const added = [...place.childNodes].filter((node) => !own.includes(node) && !strangers.has(node));
  const isOriginal = (node: Node) => isText(node) && [...words.values()].includes(node.data);
  const isBack = [...strangers].some(isGone) && added.every(isOriginal); // the reader asked for the original
  for (const node of added) {
    strangers.add(node);
    strange.add(node);
  }
  for (const node of own.filter(isGone)) {
    if (added.some((stranger) => stranger.contains(node))) node.replaceWith(node.cloneNode(true)); // some translators take the node itself along
    for (const text of textsIn(node)) {
      silence(text, text.data, translation);
      text.data = "";
    }
  }
  putBack(place, own);
  if (isBack) restore(translation);
}

/** The children of an element before all this happened. */
function before(place: Node, lists: MutationRecord[]): ChildNode[] {
  const nodes: Node[] = [...place.childNodes];
  for (const { addedNodes, removedNodes, nextSibling } of lists.toReversed()) {
    for (const added of addedNodes) nodes.splice(nodes.indexOf(added), 1);
    nodes.splice(nextSibling ? nodes.indexOf(nextSibling) : nodes.length, 0, ...removedNodes);
  }
  return nodes as ChildNode[];
}

/** Our texts in a node, with their own words. */
function textsIn(node: Node): Text[] {
  if (isText(node)) return [node];
  const known = translations.get(node);
  if (known) restore(known);
  return [...node.childNodes].flatMap(textsIn);
}

/** In their order, by which Svelte finds them. */
function putBack(place: Node, own: ChildNode[]): void {
  let next: ChildNode | null = null;
  for (const node of own.toReversed()) {
    const isBefore = !next || node.compareDocumentPosition(next) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (node.parentNode !== place || !isBefore) place.insertBefore(node, next);
    next = node;
  }
}

/** The page says something else: that is to be seen, and may be translated again. */
function restore({ place, strangers, words }: Translation): void {
  strangers.forEach((node) => node.remove());
  for (const [text, former] of words) {
    const now = said(text) ?? former;
    if (text.data !== now) text.data = now;
    translations.delete(text);
  }
  translations.delete(place);
}
