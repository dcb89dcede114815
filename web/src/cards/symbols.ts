/** The drawings of all cards, put into the page once: every card on show refers to them. */
import { mount } from "svelte";
import CardSymbols from "./CardSymbols.svelte";

let drawn = false;

export function drawSymbols(): void {
  if (drawn) return;
  drawn = true;
  mount(CardSymbols, { target: document.body });
}
