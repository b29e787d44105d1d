export interface FileDigest {
  readonly bytes: number;
  /** SHA-256, hexadecimal. */
  readonly digest: string;
}
