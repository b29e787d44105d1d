import type { Result } from '../../errors.ts';
import type { ByteSource } from '../../store/content/write-file.ts';

/** The body of a request to make or replace a resource, which is asked for once, when all else is well. */
export type LdpPayload = LdpDocument | LdpBytes;

/** An RDF document. */
export interface LdpDocument {
  readonly kind: 'document';
  /** Canonical. */
  readonly mediaType: string;
  /** WHATWG label; absent for UTF-8. */
  readonly charset?: string;
  readonly gzip: boolean;
  read(): Promise<Result<Uint8Array>>;
}

/** The content of a binary. */
export interface LdpBytes {
  readonly kind: 'bytes';
  /** What `Content-Type` is to say of it. */
  readonly contentType: string;
  /** Throws the errors of the body as it is read. */
  open(): ByteSource;
}
