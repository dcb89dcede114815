/** The number on the icon of the installed app: at how many tables it is the reader's turn. */
import type { MyTable } from "./messages";

export function showBadge(tables: MyTable[]): void {
  const count = tables.filter(({ mine }) => mine).length;
  const shown = count ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  void shown?.catch(() => {}); // it is no app here
}
