/** Keeps the tables of this device: each with its opening, and its events in parts of one hole, so that a move writes little. */
import type { Event } from "../lib/messages";
import { deviceDatabase, type Database } from "../pad/database";
import type { KeptTable } from "./keptTable";

const START = new Set<Event["is"]>(["Started", "Dealt"]); // with these a part begins

export class TableStore {
  constructor(private readonly database: Database) {}

  static async open(): Promise<TableStore> {
    return new TableStore(await deviceDatabase("mulligan-tables"));
  }

  async opening(code: string): Promise<KeptTable | null> {
    return ((await this.database.get(code)) as KeptTable | undefined) ?? null;
  }

  keep(table: KeptTable): Promise<void> {
    return this.database.change(table.code, () => table);
  }

  /** The events of a table, part by part. */
  async parts(code: string): Promise<Event[][]> {
    const parts: Event[][] = [];
    for (let part; (part = (await this.database.get(`${code}/${parts.length}`)) as Event[] | undefined); ) parts.push(part);
    return parts;
  }

  /** A writer that goes on after these parts. What could not be kept is tried again with what happens next. */
  writer(code: string, parts: Event[][]): (events: Event[]) => Promise<void> {
    const all = parts.length ? [...parts] : [[]];
    const unkept = new Set<number>();
    const add = (events: Event[]) => {
      all.push([...all.pop()!, ...events]);
      unkept.add(all.length - 1);
    };
    return async (events) => {
      const start = events.findIndex(({ is }) => START.has(is));
      const isNew = start > 0 || (start === 0 && all.at(-1)!.length > 0);
      if (start > 0) add(events.slice(0, start));
      if (isNew) all.push([]);
      add(isNew ? events.slice(start) : events);
      for (const number of unkept) {
        await this.database.change(`${code}/${number}`, () => all[number]);
        unkept.delete(number);
      }
    };
  }
}
