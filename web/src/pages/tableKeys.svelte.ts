/** The keyboard at a table in play: what a key does, and where the focus goes when the turn comes. */
import { tick } from "svelte";
import { deedOf, isStray, neighbour } from "../table/keys";
import { sound } from "../table/sounds.svelte";
import type { Playing } from "./playing.svelte";

const PRESSED = "button, a, summary, label, [role=button]";

/** Whether that does something when it is pressed; a card that cannot be played now is like the felt. */
const isPressed = (target: Element) => target.closest(PRESSED)?.matches('[aria-disabled="true"]') === false;

const isSeen = (element: HTMLElement) => element.checkVisibility?.({ visibilityProperty: true }) ?? true;

export class TableKeys {
  /** Whether the keyboard is in use: the ring of the focus shows. */
  inUse = $state(false);
  #letter: string | null = null; // a column, typed just before
  #called = "";
  #focused = -Infinity; // when the program moved the focus last

  constructor(
    private readonly playing: Playing,
    private readonly root: () => HTMLElement,
    private readonly help: () => void,
  ) {}

  /** Moves the focus for as long as the component that calls this is there. */
  follow(): void {
    $effect(() => this.#call());
    $effect(() => {
      if (this.playing.asking) this.#all("[data-deed]").find(isSeen)?.focus();
    });
  }

  /** The turn calls: with a sound, and with the keyboard's focus where one can play. Within a turn the focus only goes
   *  to the card in hand: a second press of the same key does nothing there. */
  #call(): void {
    const { mayPlay, counted, legal, view } = this.playing;
    const now = mayPlay && !counted && legal.size > 0 ? `${view.turn} ${view.phase} ${view.hole} ${view.legal.length}` : "";
    if (now === "" || now === this.#called) return;
    const [turn, phase, inHole] = now.split(" ");
    const begins = !this.#called.startsWith(`${turn} `) || this.#called.split(" ")[2] !== inHole || phase === "take";
    if (begins) sound("turn");
    this.#called = now;
    void tick().then(() => {
      const root = this.root();
      const focus = document.activeElement;
      if (document.querySelector("dialog[open]")) return;
      if (focus && focus !== document.body && !focus.matches("main") && !root.contains(focus)) return;
      const here = focus?.getAttribute("data-move");
      if (here && this.playing.view.legal.includes(here)) return;
      const lost = !focus || !root.contains(focus);
      const there = phase === "place" ? "[data-held]" : begins || lost ? "button.legal" : null;
      if (!there) return;
      root.querySelector<HTMLElement>(there)?.focus({ preventScroll: true });
      this.#focused = performance.now();
    });
  }

  tapped = (event: MouseEvent): void => {
    const target = event.target as Element;
    if (this.root()?.contains(target)) this.#touched(target);
  };

  /** A touch of the felt hurries the game; one of a card of mine takes a lent seat back. */
  #touched(target: Element): void {
    if (target.closest(".seat.mine .slot")) this.playing.touch();
    if (!isPressed(target)) this.playing.hurry();
  }

  pressed = (event: KeyboardEvent): void => {
    const { playing } = this;
    const target = event.target as Element;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (target.closest("input, textarea, select")) return;
    this.inUse = true;
    if (isStray(event, this.#focused) && target.matches("[data-move], [data-deed]")) return event.preventDefault();
    this.#focused = -Infinity;
    if (event.key === " " && !isPressed(target)) {
      event.preventDefault();
      return this.#touched(target);
    }
    if (playing.asking && event.key === "Escape") return playing.answer(false);
    if (playing.hinting.open && event.key === "Escape") return playing.hinting.close();
    const deed = deedOf(event.key, playing.legal, this.#letter);
    this.#letter = deed?.is === "letter" ? deed.letter : null;
    if (!deed) return;
    if (deed.is === "help") this.help();
    else if (deed.is === "hint") playing.hint();
    else if (playing.counted) return;
    else if (deed.is === "move") void playing.press(deed.move);
    else if (deed.is === "undo") void playing.takeBack();
    else if (deed.is === "step" && !this.#step(deed.dx, deed.dy)) return;
    event.preventDefault();
  };

  #step(dx: number, dy: number): boolean {
    const root = this.root();
    const focus = document.activeElement as HTMLElement | null;
    const held = focus?.matches("[data-held]") ?? false; // from the card in hand, to where it may go
    const targets = this.#all(held ? "button.legal" : "[data-move], [data-deed]").filter(isSeen);
    if (!focus || (!held && !targets.includes(focus))) {
      (root.querySelector<HTMLElement>(".legal[data-move]") ?? targets[0])?.focus();
      return targets.length > 0;
    }
    const next = neighbour(targets, focus, dx, dy) ?? (held ? root.querySelector<HTMLElement>(".seat.mine .legal") : null);
    next?.focus();
    return next !== null;
  }

  #all(selector: string): HTMLElement[] {
    return [...this.root().querySelectorAll<HTMLElement>(selector)];
  }
}
