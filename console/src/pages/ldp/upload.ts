import { serverUrl } from '../../app/location.ts';
import { errorFrom } from '../../app/request.ts';
import { withCredentials } from '../../app/session.ts';

interface UploadRequest {
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

export function typeOf({ name, type }: File): string {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return types[extension] ?? (type || 'application/octet-stream');
}

/**
 * Sends a file; unlike fetch, this tells the progress.
 * @throws PathpoolError for a response that is an error
 */
export async function upload(request: UploadRequest): Promise<void> {
  const { status, responseText } = await withCredentials((credentials) => send(request, credentials));
  if (status >= 300) throw errorFrom(status, responseText);
}

function send(
  { method, path, headers, file, onProgress, signal }: UploadRequest,
  credentials: Readonly<Record<string, string>>,
): Promise<XMLHttpRequest> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(method, new URL(path.slice(1), serverUrl));
    const all = { ...credentials, 'Content-Type': typeOf(file), ...headers };
    for (const [name, value] of Object.entries(all)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1);
    request.onload = () => resolve(request);
    request.onerror = () => reject(new Error('The connection was lost.'));
    request.onabort = () => reject(new Error('Cancelled.'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}
