/** The pages, each loaded together with the words that it says. */
import { withRuleWords, withTableWords, withWords } from "./lib/i18n.svelte";
import type { Route } from "./lib/router.svelte";

export const start = () => import("./pages/Start.svelte");
export const newMatch = () => withTableWords(import("./pages/NewMatch.svelte"));
export const table = () => withTableWords(import("./pages/Table.svelte"));
export const finished = () => withTableWords(import("./pages/Finished.svelte"));
export const check = () => withWords(import("./pages/Check.svelte"));
export const dealt = () => withWords(import("./pages/Dealt.svelte"));
export const changeDevice = () => import("./pages/ChangeDevice.svelte");
export const rules = () => withTableWords(withRuleWords(import("./pages/Rules.svelte")));
export const ours = () => withTableWords(withRuleWords(import("./house/OursPage.svelte")));
export const pad = () => withWords(import("./pad/PadPage.svelte"));
export const coach = () => withWords(import("./cardboard/CoachPage.svelte"));
export const learn = () => withWords(import("./learn/LearnPage.svelte"));
export const card = () => withWords(import("./pages/PrintCard.svelte"));
export const day = () => withWords(import("./day/DayPage.svelte"));
export const stats = () => withWords(import("./results/StatsPage.svelte"));
export const me = () => withWords(import("./me/MePage.svelte"));
export const notHere = () => withTableWords(import("./parts/NotHere.svelte"));

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
