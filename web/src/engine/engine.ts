/** The engine in this page: the functions that the server runs, compiled for browsers. They play the same. */
import { type Exports, LAYOUT, NET } from "./records.ts";
import type { Place } from "./place.ts";

/** The engine's file, below the base path: another one would not fit these records. */
export const ENGINE_FILE = `engine-${LAYOUT}.wasm`;

/** Who can choose a move: the players of the server. */
export type PlayerName = keyof { [Name in keyof Exports as Name extends `choose_${infer Player}` ? Player : never]: true };

/**
 * The net of a game and how many turns `search` may look through, in the engine's memory, for as long as that lives. Where
 * only a net is asked for, the address serves as well: it comes first.
 */
export interface Brain {
  readonly address: number;
}

/** An array: where its data lie, and its lengths. */
export type Listed = [address: number, ...lengths: number[]];

const TURNS = 1500; // that `search` looks through, unless told otherwise

export class Engine {
  readonly calls: Exports;

  constructor(exports: WebAssembly.Exports) {
    this.calls = exports as unknown as Exports;
  }

  /** Loads the engine from the content of its file. All that it needs of JavaScript is functions of `Math`. */
  static async load(content: BufferSource): Promise<Engine> {
    const { instance } = await WebAssembly.instantiate(content, { env: Math as unknown as WebAssembly.ModuleImports });
    return new Engine(instance.exports);
  }

  get memory(): WebAssembly.Memory {
    return this.calls.memory;
  }

  /** So many bytes of the engine's memory, all 0. */
  reserve(bytes: number): number {
    const address = this.calls.reserve(bytes);
    new Uint8Array(this.memory.buffer, address, bytes).fill(0);
    return address;
  }

  /** Gives back what was reserved. */
  release(...addresses: number[]): void {
    for (const address of addresses) this.calls.release(address);
  }

  /** A record of a kind, every field 0, or a copy of one. */
  record<Kind extends Place>(kind: { new (memory: WebAssembly.Memory, address: number): Kind; size: number }, content?: Uint8Array): Kind {
    if (content && content.length !== kind.size) throw new RangeError(`${content.length} bytes are no record of ${kind.size}`);
    return new kind(this.memory, content ? this.put(content) : this.reserve(kind.size));
  }

  /** Copies bytes into the engine's memory. */
  put(content: Uint8Array): number {
    const address = this.reserve(content.length);
    new Uint8Array(this.memory.buffer, address, content.length).set(content);
    return address;
  }

  /** Copies numbers with a fraction into the engine's memory. */
  numbers(content: number[]): number {
    return this.put(new Uint8Array(new Float64Array(content).buffer));
  }

  /** Describes arrays for an exported function: one, or a tuple of several. */
  describe(...arrays: Listed[]): number {
    const words = arrays.flat();
    const address = this.reserve(4 * words.length);
    new Int32Array(this.memory.buffer, address, words.length).set(words);
    return address;
  }

  /** What a player knows besides the table. `net` is the image of a net (wasm/net_image.py); some players need none. */
  brain(net: Uint8Array = NO_NET, turns = TURNS): Brain {
    const budget = this.reserve(8);
    new Int32Array(this.memory.buffer, budget, 1)[0] = turns;
    return { address: this.describe(...this.#arraysOf(this.put(net)), [budget, 1]) };
  }

  /** The arrays of an image: of each, where it begins in the image, in how many dimensions it lies, and its lengths. */
  #arraysOf(image: number): Listed[] {
    const words = new Int32Array(this.memory.buffer, image);
    const arrays: Listed[] = [];
    for (let place = 1; arrays.length < words[0]!; ) {
      const [begin, dimensions] = [words[place]!, words[place + 1]!];
      arrays.push([image + begin, ...words.subarray(place + 2, place + 2 + dimensions)]);
      place += 2 + dimensions;
    }
    return arrays;
  }
}

/** The image of no net: arrays without numbers. */
const NO_NET = new Uint8Array(new Int32Array([NET.length, ...NET.flatMap((dimensions) => [0, dimensions, ...Array<number>(dimensions).fill(0)])]).buffer);
