import { v4 as uuid } from 'uuid';
import { mayWrite, type Restricted } from '../../base/graph-access.ts';
import { type NameForm, nameAt } from './slug.ts';

/**
 * Allocates names for new resources. A name is reserved until it is released, and by then its
 * resource exists. So two requests with the same `Slug` never compete in the store.
 */
export class NameAllocator {
  readonly #isTaken: (uri: string) => boolean;
  readonly #reserved = new Set<string>();

  /** `isTaken`: whether there is, or ever was, a resource with this URI. */
  constructor(isTaken: (uri: string) => boolean) {
    this.#isTaken = isTaken;
  }

  /**
   * Returns the URI of a new child (http-api L-30, L-31), with a random name if `form` is
   * undefined. A name that the client may not write counts as free, so that the result does not
   * tell whether it is: such a resource can't be created anyway.
   */
  reserve(container: string, form: NameForm | undefined, client: Restricted): string {
    const uriAt = (count: number) => `${container}/${form ? nameAt(form, count) : uuid()}`;
    const isUsed = (uri: string) => mayWrite(client, uri) && this.#isUsed(uri);
    const uri = uriAt(form ? firstFree((count) => isUsed(uriAt(count))) : 0);
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
 * Returns a free number: tries doubling steps, then bisects between the last two. So few checks
 * suffice even if many resources share a name. The result is the least free number if the used
 * numbers have no gap.
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
