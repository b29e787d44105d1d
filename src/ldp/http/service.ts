import type { DocumentVariants } from '../../http/headers/document-variants.ts';
import type { Watch } from '../../http/routes/changes/watch.ts';
import type { Content } from '../../http/routes/content/service.ts';
import type { LdpDocuments } from '../main/documents.ts';
import type { LdpSpace } from '../main/space.ts';
import type { LdpWrites } from '../main/writes.ts';

/**
 * The services as handlers see them: without their private members, so that tests can replace them.
 */
export interface Ldp {
  readonly space: Pick<LdpSpace, keyof LdpSpace>;
  readonly documents: Pick<LdpDocuments, keyof LdpDocuments>;
  readonly writes: Pick<LdpWrites, keyof LdpWrites>;
  readonly content: Pick<Content, 'read'>;
}

/** A live resource, as `LdpSpace` describes it. */
export type LiveEntry = Exclude<ReturnType<LdpSpace['entry']>, 'gone' | undefined>;

export interface LdpOptions {
  /** Base URI of the server, without a trailing slash. */
  readonly base: string;
  /** Maximum bytes of an RDF document, a binary and a patch. */
  readonly maxDocument: number;
  readonly maxContent: number;
  readonly maxPatch: number;
  readonly variants: DocumentVariants;
  readonly watch: Pick<Watch, 'follow'>;
}
