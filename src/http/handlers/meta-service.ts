import type { MetaService } from '../../services/meta.ts';

/** The service as handlers see it: without its private parts, so that tests can put another in its place. */
export type Meta = Pick<MetaService, keyof MetaService>;

export interface MetaOptions {
  /** Base URI of the server, without trailing slash. */
  readonly base: string;
  /** Bytes that an RDF body may have. */
  readonly maxBytes: number;
}
