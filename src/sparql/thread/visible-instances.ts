import { fromErrorData } from '../../errors.ts';
import type { IriPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import { isTrap } from '../../rdf/oxigraph/library.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { OnProgress } from '../engine/fill.ts';
import type { EngineSettings } from '../engine/settings.ts';
import { estimatedBytes } from '../memory-estimate.ts';
import { tooBig } from '../unavailable.ts';
import { type KeptInstance, keptInstance } from './kept-instance.ts';
import { Mirror } from './mirror.ts';

/** The most instances that are kept; those of the patterns used last. */
const MAX_KEPT = 16;

export interface VisibleInstanceOptions {
  readonly settings: Pick<EngineSettings, 'maxBytes' | 'unnamedGraph'>;
  readonly changeFeed: SharedArrayBuffer;
  /** Called before an instance is filled. */
  readonly onFill: () => void;
  readonly onProgress: OnProgress;
}

/**
 * Instances for clients that may not read all graphs, one for each set of patterns. Each contains
 * the graphs that match, and nothing else, so that no query and no update can tell that there are
 * others. They follow the commits as the instance with all graphs does. All of them together use
 * about as much memory as that one may.
 */
export class VisibleInstances {
  readonly #options: VisibleInstanceOptions;
  /** By the key of the patterns, the one used last at the end. */
  readonly #kept = new Map<string, KeptInstance>();

  constructor(options: VisibleInstanceOptions) {
    this.#options = options;
  }

  /** Returns the instance for a snapshot. Error `sparql-unavailable` if its graphs do not fit. */
  for(visible: IriPatterns, all: SnapshotReader): KeptInstance {
    const { key } = visible;
    const reader = all.visibleTo(visible);
    const known = this.#kept.get(key);
    this.#kept.delete(key);
    const instance = known && this.#hasFollowed(known, reader) ? known : this.#filled(reader);
    this.#kept.set(key, instance);
    return instance;
  }

  /** Drops an instance that can't be used any more. */
  drop({ key }: IriPatterns): void {
    this.#kept.delete(key);
  }

  #hasFollowed({ mirror, merged }: KeptInstance, reader: SnapshotReader): boolean {
    if (mirror.reader === reader) return true;
    merged.forget();
    try {
      return mirror.follow(reader, this.#options.changeFeed);
    } catch {
      // Filling another one decides whether the data fit.
      return false;
    }
  }

  #filled(reader: SnapshotReader): KeptInstance {
    const { settings, onFill, onProgress } = this.#options;
    const { maxBytes, unnamedGraph } = settings;
    const bytes = estimatedBytes(reader.graphs().reduce((sum, graph) => sum + reader.graphSize(graph), 0));
    if (bytes > maxBytes) throw this.#tooBig();
    this.#makeRoom(maxBytes - bytes);
    onFill();
    try {
      return keptInstance(Mirror.fill(reader, { maxBytes, unnamedGraph, onProgress }));
    } catch (error) {
      throw isTrap(error) ? this.#tooBig() : error;
    }
  }

  #tooBig(): Error {
    return fromErrorData(
      tooBig('The graphs that these credentials may read', this.#options.settings.maxBytes),
    );
  }

  /** Drops those that have not been used for the longest time, until they leave this much. */
  #makeRoom(bytes: number): void {
    let total = 0;
    for (const { mirror } of this.#kept.values()) total += mirror.bytes;
    for (const [key, { mirror }] of this.#kept) {
      if (total <= bytes && this.#kept.size < MAX_KEPT) return;
      total -= mirror.bytes;
      this.#kept.delete(key);
    }
  }
}
