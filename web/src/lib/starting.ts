/** A game without other people begins as soon as its maker's page is open: a word from the page that opened the table. */
const KEY = "mulligan.start";

let expected = ""; // for browsers that remember nothing

export function startSoon(table: string): void {
  expected = table;
  try {
    sessionStorage.setItem(KEY, table); // outlives a reload
  } catch {
    // the browser forbids it
  }
}

/** Whether this table is to begin now; true once. */
export function isToStart(table: string): boolean {
  const isExpected = table === (remembered() ?? expected);
  if (isExpected) startSoon("");
  return isExpected;
}

function remembered(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
