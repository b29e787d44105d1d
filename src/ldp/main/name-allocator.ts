import { v4 as uuid } from 'uuid';
import { type NameForm, nameAt } from './slug.ts';

/**
 * Gives names to new resources. A name is nobody else's from the moment when it is given until it is released, by when its
 * resource exists: so two requests with the same `Slug` never meet in the store.
 */
export class NameAllocator {
  readonly #isTaken: (uri: string) => boolean;
  readonly #reserved = new Set<string>();

  /** `isTaken`: whether there is, or ever was, a resource. */
  constructor(isTaken: (uri: string) => boolean) {
    this.#isTaken = isTaken;
  }

  /** The URI of a new child (http-api L-30, L-31); a random one where `form` is undefined. */
  reserve(container: string, form: NameForm | undefined): string {
    const uriAt = (count: number) => `${container}/${form ? nameAt(form, count) : uuid()}`;
    const uri = uriAt(form ? firstFree((count) => this.#isUsed(uriAt(count))) : 0);
    this.#reserved.add(uri);
    return uri;
  }

  release(uri: string): void {
    this.#reserved.delete(uri);
  }

  #isUsed(uri: string): boolean {
    return this.#reserved.has(uri) || this.#isTaken(uri);
  }
}

/**
 * A number that is free, looked for in ever greater steps and then between the last two: as many as have the same name
 * already, a few questions are enough. It is the least one where the taken ones have no gap.
 */
function firstFree(isUsed: (count: number) => boolean): number {
  if (!isUsed(0)) return 0;
  let used = 0;
  let free = 1;
  while (isUsed(free)) {
    used = free;
    free *= 2;
  }
  while (free - used > 1) {
    const middle = Math.floor((used + free) / 2);
    if (isUsed(middle)) used = middle;
    else free = middle;
  }
  return free;
}
