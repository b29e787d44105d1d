import type { ContextService } from '../../../services/contexts/contexts.ts';
import type { Watch } from '../changes/watch.ts';
import type { EarlierReads } from './earlier.ts';

/** The service as handlers see it: without its private members, so that tests can replace it. */
export type Contexts = Pick<ContextService, keyof ContextService>;

export interface ContextOptions {
  /** Base URI of the server, without a trailing slash. */
  readonly base: string;
  /** Maximum bytes of an RDF body. */
  readonly maxBytes: number;
}

export interface GraphOptions extends ContextOptions {
  /** Reads graphs as they were. */
  readonly earlier: Pick<EarlierReads, 'read'>;
}

export interface WatchableContextOptions extends GraphOptions {
  readonly watch: Pick<Watch, 'follow'>;
}
