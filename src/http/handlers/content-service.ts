import type { ContentService } from '../../services/content.ts';

/** The service as handlers see it: without its private parts, so that tests can put another in its place. */
export type Content = Pick<ContentService, keyof ContentService>;

export interface ContentOptions {
  /** Base URI of the server, without trailing slash. */
  readonly base: string;
  /** Bytes that content may have. */
  readonly maxBytes: number;
}
