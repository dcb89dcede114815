/** Tables for spreadsheets, which read a file by the region of the computer. */
import { language } from "./i18n.svelte";

/** With a byte order mark, as spreadsheets want it; semicolons between the cells where numbers have a decimal comma. */
export function csvOf(rows: (string | number)[][]): string {
  const parts = new Intl.NumberFormat(language.regional).formatToParts(0.5);
  const point = parts.find(({ type }) => type === "decimal")!.value;
  const lines = rows.map((row) => row.map((value) => cell(value, point)).join(point === "," ? ";" : ","));
  return `\ufeff${lines.join("\r\n")}\r\n`;
}

/** A text that no spreadsheet takes for a formula. */
export function plainCell(text: string): string {
  return /^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
}

function cell(value: string | number, point: string): string {
  if (typeof value === "number") return String(value).replace(".", point);
  return /[",;\r\n\t]/.test(value) || value !== value.trim() ? `"${value.replaceAll('"', '""')}"` : value;
}
