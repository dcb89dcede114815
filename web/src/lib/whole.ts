/** Names and figures that are never cut: attachments for elements that have less room than they would like. */

/** A name with its number on the same line: "Greedy 2" is another player than Greedy. */
export function numberBeside(name: string): string {
  return name.replace(/ (?=\d+$)/, "\u00a0");
}

// The size of the letters, whether in lines, and whether a word may be torn: the first that fits.
const STEPS = [
  [1, false, false], [0.9, false, false], [0.82, false, false],
  [0.82, true, false], [0.72, true, false], [0.64, true, false],
  [0.82, true, true], [0.72, true, true], [0.64, true, true],
] as const;

/** Makes a name as small as it has to be to stand whole in its parent, which must not depend on it in size. */
export function wholeName(element: HTMLElement): () => void {
  const fits = () => element.scrollWidth <= element.clientWidth && element.scrollHeight <= (element.parentElement?.clientHeight ?? 0);
  function look() {
    for (const [size, lines, torn] of STEPS) {
      const words = torn ? { overflowWrap: "anywhere", wordBreak: "normal" } : { overflowWrap: "normal", wordBreak: "keep-all" };
      Object.assign(element.style, { fontSize: `${size}em`, lineHeight: lines ? "1" : "", whiteSpace: lines ? "normal" : "nowrap", ...words });
      if (fits()) return;
    }
  }
  const resized = new ResizeObserver(look);
  resized.observe(element.parentElement ?? element);
  const changed = new MutationObserver(look);
  changed.observe(element.parentElement ?? element, { characterData: true, childList: true, subtree: true });
  return () => (resized.disconnect(), changed.disconnect());
}

const BETWEEN = 5; // pixels between two figures side by side

/** The width of the widest of these texts, printed bold in the letters of an element. */
export function widest(texts: string[], element: Element): number {
  const brush = document.createElement("canvas").getContext("2d");
  if (!brush) return 0;
  const { fontFamily, fontSize } = getComputedStyle(element);
  brush.font = `800 ${fontSize} ${fontFamily}`;
  return Math.max(0, ...texts.map((text) => brush.measureText(text).width));
}

/**
 * Makes the columns between a table's first and last one, which stay in sight, so wide that a whole number of them fits,
 * and that each of the `figures` in them stands apart from the next: a table that scrolls stops between two columns.
 * `--column` is their width; `least` is how narrow it may be.
 */
export function wholeColumns(figures: string[], least = 0): (scroller: HTMLElement) => () => void {
  return (scroller) => {
    function look() {
      const cells = [...(scroller.querySelector("tr")?.cells ?? [])];
      const room = scroller.clientWidth - (cells.at(0)?.offsetWidth ?? 0) - (cells.at(-1)?.offsetWidth ?? 0);
      const column = Math.max(least, BETWEEN + widest(figures, scroller.querySelector("td") ?? scroller));
      const fit = Math.max(1, Math.floor(room / column));
      scroller.style.setProperty("--column", `${room / Math.min(fit, Math.max(1, cells.length - 2))}px`);
      scroller.style.setProperty("--first", `${cells.at(0)?.offsetWidth ?? 0}px`);
    }
    const resized = new ResizeObserver(look);
    resized.observe(scroller);
    const table = scroller.querySelector("table");
    if (table) resized.observe(table);
    return () => resized.disconnect();
  };
}
