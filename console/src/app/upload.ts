import { errorFrom } from './request.ts';
import { withCredentials } from './session.ts';

interface UploadRequest {
  readonly method: 'PUT' | 'POST';
  readonly url: string | URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Blob;
}

interface UploadWatcher {
  readonly signal: AbortSignal;
  /** `sent`: bytes so far. */
  readonly onSent: (sent: number) => void;
  /** Called when the server has the whole body. */
  readonly onComplete?: () => void;
}

interface UploadResponse {
  readonly status: number;
  readonly text: string;
}

/** The connection ended before there was a response. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/**
 * Sends a body with the user's credentials, and tells how far it is, which `fetch` cannot do.
 * @throws PathpoolError for a response that is an error, ConnectionError, or what the signal says
 */
export async function upload(request: UploadRequest, watcher: UploadWatcher): Promise<UploadResponse> {
  const response = await withCredentials((headers) =>
    send({ ...request, headers: { ...request.headers, ...headers } }, watcher),
  );
  if (response.status >= 400) throw errorFrom(response.status, response.text);
  return response;
}

function send(
  { method, url, headers, body }: UploadRequest,
  watcher: UploadWatcher,
): Promise<UploadResponse> {
  const { signal } = watcher;
  const request = new XMLHttpRequest();
  const abort = () => request.abort();
  return new Promise<UploadResponse>((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', abort);
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => watcher.onSent(loaded);
    request.upload.onload = () => watcher.onComplete?.();
    request.onload = () => resolve({ status: request.status, text: request.responseText });
    request.onerror = () => reject(new ConnectionError('The connection to the server broke off.'));
    request.onabort = () => reject(signal.reason);
    request.send(body);
  }).finally(() => signal.removeEventListener('abort', abort));
}
