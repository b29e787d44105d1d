/** How many tasks of each group have begun since the start. */
export class BegunTasks implements Iterable<readonly [group: string, count: number]> {
  readonly #counts: Record<string, number> = Object.create(null);

  add(group: string): void {
    this.#counts[group] = (this.#counts[group] ?? 0) + 1;
  }

  [Symbol.iterator](): Iterator<readonly [string, number]> {
    return Object.entries(this.#counts)[Symbol.iterator]();
  }
}
