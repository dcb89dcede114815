/** The pages, each loaded together with the words that it says. */
import type { Component } from "svelte";
import { withWords } from "./lib/i18n.svelte";
import type { Route } from "./lib/router.svelte";

/** The properties of a page: all of its route but the name. */
export type PropsOf<R extends Route> = R extends Route ? Omit<R, "page"> : never;

/** What shows a route. */
export const PAGES: { [Name in Route["page"]]: () => Promise<{ default: Component<PropsOf<Extract<Route, { page: Name }>>> }> } = {
  start: () => import("./pages/Start.svelte"),
  new: () => withWords(import("./pages/NewMatch.svelte"), "table"),
  table: () => withWords(import("./pages/Table.svelte"), "table"),
  watch: () => withWords(import("./pages/Table.svelte"), "table"),
  game: () => withWords(import("./pages/Finished.svelte"), "table"),
  check: () => withWords(import("./pages/Check.svelte"), "table", "beside"),
  dealt: () => withWords(import("./pages/Dealt.svelte"), "table", "beside"),
  move: () => import("./pages/ChangeDevice.svelte"),
  rules: () => withWords(import("./pages/Rules.svelte"), "table", "rules"),
  ours: () => withWords(import("./house/OursPage.svelte"), "table", "rules"),
  pad: () => withWords(import("./pad/PadPage.svelte"), "table", "pad"),
  coach: () => withWords(import("./cardboard/CoachPage.svelte"), "table", "coach", "cardboard"),
  learn: () => withWords(import("./learn/LearnPage.svelte"), "table", "learn"),
  lesson: () => withWords(import("./learn/LessonPage.svelte"), "table", "coach", "learn"),
  card: () => withWords(import("./pages/PrintCard.svelte"), "beside"),
  day: () => withWords(import("./day/DayPage.svelte"), "table", "beside"),
  stats: () => withWords(import("./results/StatsPage.svelte"), "table", "coach", "beside"),
  me: () => withWords(import("./me/MePage.svelte"), "beside"),
  lost: () => withWords(import("./parts/NotHere.svelte"), "table"),
};
