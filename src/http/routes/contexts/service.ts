import type { ContextService } from '../../../services/contexts/contexts.ts';
import type { DocumentVariants } from '../../headers/document-variants.ts';
import type { Watch } from '../changes/watch.ts';

/** The service as handlers see it: without its private members, so that tests can replace it. */
export type Contexts = Pick<ContextService, keyof ContextService>;

export interface ContextOptions {
  /** Base URI of the server, without a trailing slash. */
  readonly base: string;
  /** Maximum bytes of an RDF body. */
  readonly maxBytes: number;
  readonly variants: DocumentVariants;
}

export interface WatchableContextOptions extends ContextOptions {
  readonly watch: Pick<Watch, 'follow'>;
}
