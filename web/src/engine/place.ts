/** A place in the engine's memory. Views are made when they are needed: they end when the memory grows. */
export class Place {
  readonly memory: WebAssembly.Memory;
  readonly address: number;
  #view: DataView;

  constructor(memory: WebAssembly.Memory, address: number) {
    this.memory = memory;
    this.address = address;
    this.#view = new DataView(memory.buffer, address);
  }

  get view(): DataView {
    if (this.#view.buffer !== this.memory.buffer) this.#view = new DataView(this.memory.buffer, this.address);
    return this.#view;
  }
}
