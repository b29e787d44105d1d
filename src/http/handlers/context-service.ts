import type { ContextService } from '../../services/contexts.ts';

/** The service as handlers see it: without its private parts, so that tests can put another in its place. */
export type Contexts = Pick<ContextService, keyof ContextService>;

export interface ContextOptions {
  /** Base URI of the server, without trailing slash. */
  readonly base: string;
  /** Bytes that an RDF body may have. */
  readonly maxBytes: number;
}
