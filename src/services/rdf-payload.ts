/** An RDF document as a client sent it, with the properties from the request's head. */
export interface RdfPayload {
  readonly body: Uint8Array;
  /** Canonical media type (http-api 1.6). */
  readonly mediaType: string;
  /** WHATWG label; absent for UTF-8. */
  readonly charset?: string;
  readonly gzip: boolean;
  readonly baseIri: string;
}
