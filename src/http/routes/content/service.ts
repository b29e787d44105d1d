import type { ContentService } from '../../../services/content/content.ts';

/** The service as handlers see it: without its private members, so that tests can replace it. */
export type Content = Pick<ContentService, keyof ContentService>;

export interface ContentOptions {
  /** Base URI of the server, without a trailing slash. */
  readonly base: string;
  /** Maximum bytes of content. */
  readonly maxBytes: number;
}
