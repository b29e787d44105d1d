import type { Caller } from '../../../base/caller.ts';
import { seesEverything } from '../../../base/graph-access.ts';
import type { Precondition } from '../../../base/precondition.ts';
import type { Result } from '../../../errors.ts';
import type { LdpDocuments } from '../documents.ts';
import type { LdpSpace } from '../space.ts';

type States = Precondition['match'];

/** Attempts to find a resource unchanged while its state for a client is read. */
const ATTEMPTS = 16;

/**
 * Preconditions of clients that do not see everything: they know other entity tags of RDF sources
 * than the store, and no dates (http-api G-165).
 */
export class ShownPreconditions {
  readonly #space: LdpSpace;
  readonly #documents: Pick<LdpDocuments, 'shown'>;

  constructor(space: LdpSpace, documents: Pick<LdpDocuments, 'shown'>) {
    this.#space = space;
    this.#documents = documents;
  }

  /**
   * Returns a precondition as the store knows states. It holds for the resource as it is when the
   * promise resolves, or not at all.
   */
  async inStoreTerms(
    uri: string,
    precondition: Precondition | undefined,
    caller: Caller,
  ): Promise<Result<Precondition | undefined>> {
    if (seesEverything(caller) || precondition === undefined) return { ok: true, value: precondition };
    if (precondition.unmodifiedSince !== undefined) return { ok: true, value: never };
    const { match, noneMatch } = precondition;
    if (typeof match !== 'object' && typeof noneMatch !== 'object') return { ok: true, value: precondition };
    const known = await this.#known(uri, caller);
    if (!known.ok) return known;
    const translate = (states: States) => (typeof states === 'object' ? known.value(states) : states);
    const value = { match: translate(match), noneMatch: translate(noneMatch) };
    return {
      ok: true,
      value: {
        ...(value.match !== undefined && { match: value.match }),
        ...(value.noneMatch !== undefined && { noneMatch: value.noneMatch }),
      },
    };
  }

  /** Returns a function that translates states of the resource as it is now. */
  async #known(
    uri: string,
    caller: Caller,
  ): Promise<Result<(states: readonly string[]) => readonly string[]>> {
    for (let attempt = 1; ; attempt++) {
      const entry = this.#space.entry(uri);
      const isSource = entry !== undefined && entry !== 'gone' && entry.kind !== 'binary';
      // The states of binaries are the same for everybody.
      if (!isSource) return { ok: true, value: (states) => states };
      const shown = await this.#documents.shown(uri, caller);
      if (!shown.ok) return shown;
      const now = this.#space.entry(uri);
      const isSame = now !== undefined && now !== 'gone' && now.sequence === entry.sequence;
      if (!isSame && attempt < ATTEMPTS) continue;
      const state = this.#space.state(entry);
      return { ok: true, value: (states) => (states.includes(shown.value.state) ? [state] : []) };
    }
  }
}

/** No state satisfies it. */
const never: Precondition = { match: [] };
