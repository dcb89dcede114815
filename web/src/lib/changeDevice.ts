/** A seat that moves to another device: the link for it, and which tables this device has offered it from. */
import type { View } from "./messages";
import { recall, remember } from "./stored";

const MOST = 20;

/** The other device reads the key after the #, which is not sent to servers; the seats tell it only whose they are. */
export function deviceLink(table: string, key: string, seats: number[]): string {
  return `${table.replace(/\bt\/(?=[^/]*$)/, "move/")}#${[key, ...seats].join(".")}`;
}

/** The key, and the seats it is for. */
export function readDeviceLink(anchor: string): { key: string; seats: number[] } {
  const [key = "", ...seats] = anchor.split(".");
  return { key, seats: seats.map(Number).filter(Number.isInteger) };
}

interface Offered {
  code: string;
  names: string[]; // of the people who move
}

const offered = () => recall<Offered[]>("offered", []);

/** Whether those whom this device offered to move still sit there; then they do so on another device. */
export function hasMoved(code: string, view: View): boolean {
  const names = offered().find((one) => one.code === code)?.names ?? [];
  return view.seats.some((seat) => seat.kind === "person" && names.includes(seat.name));
}

export function keepOffer(code: string, names: string[]): void {
  remember("offered", [{ code, names }, ...offered().filter((one) => one.code !== code)].slice(0, MOST));
}
