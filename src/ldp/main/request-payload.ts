import type { Result } from '../../errors.ts';
import type { ByteSource } from '../../store/content/write-file.ts';

/**
 * The body of a request that creates or replaces a resource. It is read once, after all other
 * checks have passed.
 */
export type LdpPayload = LdpDocument | LdpBytes;

/** An RDF document. */
export interface LdpDocument {
  readonly kind: 'document';
  /** The canonical media type. */
  readonly mediaType: string;
  /** A WHATWG label; absent for UTF-8. */
  readonly charset?: string;
  readonly gzip: boolean;
  read(): Promise<Result<Uint8Array>>;
}

/** The content of a binary. */
export interface LdpBytes {
  readonly kind: 'bytes';
  /** The value of `Content-Type` in responses. */
  readonly contentType: string;
  /** Reading throws the errors of the body. */
  open(): ByteSource;
}
