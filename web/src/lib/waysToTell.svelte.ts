/** The ways in which the reader is told of their turn, for all who show or change them. */
import { ask } from "./http";
import type { ChannelCode, ChannelWish, WayNote, Ways } from "./messages";
import { isLost, subscribed, subscription, whyNot, wishOf, type Quiet } from "./pushHere";

export const USUAL: Quiet = { quiet_from: 22, quiet_until: 8 };

let known = $state.raw<Ways | null>(null);

export const ways = {
  /** Null until the server has said it. */
  get known(): Ways | null {
    return known;
  },
  /** The one of this device. */
  get here(): WayNote | undefined {
    return known?.ways.find(({ here, kind }) => here && kind === "push");
  },
};

/** Asks the server. A device that is to be told, and has lost its subscription, gets another one without a word. */
export async function learnWays(): Promise<void> {
  known = await ask<Ways>("api/me/ways");
  const { key } = known;
  if (ways.here && !whyNot(key) && Notification.permission === "granted" && (await isLost(key))) await subscribe(ways.here);
}

/** Asks for the browser's permission, and subscribes this device. Throws if that fails. Call it right after a tap. */
export async function tellHere(quiet: Quiet): Promise<void> {
  if ((await Notification.requestPermission()) === "granted") await subscribe(quiet);
}

/** Tells this device, which has said yes, at other hours. */
export async function subscribe({ quiet_from, quiet_until }: Quiet): Promise<void> {
  const wish = wishOf(await subscribed(known!.key), { quiet_from, quiet_until });
  known = await ask<Ways>("api/me/ways/push", wish);
}

export async function removeWay(way: WayNote): Promise<void> {
  known = await ask<Ways>(`api/me/ways/${way.id}`, undefined, "DELETE");
  if (way.here && way.kind === "push") await (await subscription())?.unsubscribe();
}

export async function sendCode(wish: ChannelWish): Promise<void> {
  await ask("api/me/ways/channel", wish);
}

export async function confirmCode(code: ChannelCode): Promise<void> {
  known = await ask<Ways>("api/me/ways/channel/code", code);
}
