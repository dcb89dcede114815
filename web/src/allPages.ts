/** The pages, each loaded together with the words that it says. */
import { withWords } from "./lib/i18n.svelte";
import type { Route } from "./lib/router.svelte";

export const start = () => import("./pages/Start.svelte");
export const newMatch = () => withWords(import("./pages/NewMatch.svelte"), "table");
export const table = () => withWords(import("./pages/Table.svelte"), "table");
export const finished = () => withWords(import("./pages/Finished.svelte"), "table");
export const check = () => withWords(import("./pages/Check.svelte"), "table", "beside");
export const dealt = () => withWords(import("./pages/Dealt.svelte"), "table", "beside");
export const changeDevice = () => import("./pages/ChangeDevice.svelte");
export const rules = () => withWords(import("./pages/Rules.svelte"), "table", "rules");
export const ours = () => withWords(import("./house/OursPage.svelte"), "table", "rules");
export const pad = () => withWords(import("./pad/PadPage.svelte"), "table", "pad");
export const coach = () => withWords(import("./cardboard/CoachPage.svelte"), "table", "coach", "cardboard");
export const learn = () => withWords(import("./learn/LearnPage.svelte"), "table", "coach", "learn");
export const card = () => withWords(import("./pages/PrintCard.svelte"), "beside");
export const day = () => withWords(import("./day/DayPage.svelte"), "table", "beside");
export const stats = () => withWords(import("./results/StatsPage.svelte"), "table", "coach", "beside");
export const me = () => withWords(import("./me/MePage.svelte"), "beside");
export const notHere = () => withWords(import("./parts/NotHere.svelte"), "table");

/** What shows a route. */
export const PAGES: Record<Route["page"], () => Promise<unknown>> = {
  start,
  new: newMatch,
  table,
  watch: table,
  game: finished,
  check,
  dealt,
  move: changeDevice,
  rules,
  ours,
  pad,
  coach,
  learn,
  card,
  day,
  stats,
  me,
  lost: notHere,
};
