import type { MetaService } from '../../../services/resources/meta.ts';
import type { DocumentVariants } from '../../headers/document-variants.ts';

/** The service as handlers see it: without its private members, so that tests can replace it. */
export type Meta = Pick<MetaService, keyof MetaService>;

export interface MetaOptions {
  /** Base URI of the server, without a trailing slash. */
  readonly base: string;
  /** Maximum bytes of an RDF body. */
  readonly maxBytes: number;
  readonly variants: DocumentVariants;
}
