import { serverUrl } from '../../app/location.ts';
import { upload } from '../../app/upload.ts';

interface FileRequest {
  readonly method: 'POST' | 'PUT';
  /** Of the container for POST, of the binary for PUT. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly file: File;
  /** Called with a number from 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Types that browsers do not know, by the extension of the file. */
const types: Readonly<Record<string, string>> = {
  ttl: 'text/turtle',
  nt: 'application/n-triples',
  n3: 'text/n3',
  rdf: 'application/rdf+xml',
  owl: 'application/rdf+xml',
  jsonld: 'application/ld+json',
};

function typeOf({ name, type }: File): string {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return types[extension] ?? (type || 'application/octet-stream');
}

/**
 * Stores a file in a container, or as a binary, and tells the progress.
 * @throws what `upload` throws
 */
export async function sendFile({
  method,
  path,
  headers,
  file,
  onProgress,
  signal,
}: FileRequest): Promise<void> {
  const request = {
    method,
    url: new URL(path.slice(1), serverUrl),
    headers: { 'Content-Type': typeOf(file), ...headers },
    body: file,
  };
  await upload(request, { signal, onSent: (sent) => onProgress(file.size > 0 ? sent / file.size : 1) });
}
