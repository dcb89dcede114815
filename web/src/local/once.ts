/** What is loaded once for each name, such as a file. A failure is forgotten: the next request tries again. */
export class Once<T> {
  readonly #known = new Map<string, Promise<T>>();

  get(name: string, make: () => Promise<T>): Promise<T> {
    const known = this.#known.get(name);
    if (known) return known;
    const made = make();
    this.#known.set(name, made);
    made.catch(() => this.#known.delete(name));
    return made;
  }

  /** What is known of a name, or will be. */
  known(name: string): Promise<T> | undefined {
    return this.#known.get(name);
  }

  forget(name: string): void {
    this.#known.delete(name);
  }
}
