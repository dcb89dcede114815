/** The drawings that the cards on show refer to: each is put into the page once, when a card first needs it. */
import { mount } from "svelte";
import CardSymbols from "./CardSymbols.svelte";

/** A face on a large card or a small one. */
interface Drawing {
  face: string;
  mini: boolean;
}

const drawings = $state<Record<string, Drawing>>({});

// Here and not when a card asks: what a component mounts while it is drawn follows no change once that component is gone.
if (typeof document !== "undefined") mount(CardSymbols, { target: document.body, props: { drawings } });

/** Puts a drawing into the page under its id. The back and the empty place are always there. */
export function draw(id: string, drawing: Drawing): void {
  drawings[id] ??= drawing;
}
