import { timingSafeEqual } from 'node:crypto';
import { errorData } from '../../errors.ts';
import type { HttpRequest } from '../server/message.ts';

/** Headers of requests from one process of a cluster to another, in lower case. */
export const peerHeaders = { secret: 'pathpool-peer', client: 'pathpool-client' } as const;

/** The response to a request that another process has forwarded here, although it should not. */
export const notHere = errorData('misdirected', 'This process does not hold the lease, or is shutting down.');

type RequestHead = Pick<HttpRequest, 'header'>;
type SentRequest = Pick<HttpRequest, 'remoteAddress' | 'requestId'>;

const REQUEST_ID = 'x-request-id';

/**
 * Recognises requests of the other processes of the cluster, by the secret that they share. Those
 * have applied the rules for hosts and origins already, and know the client's address.
 */
export class Peers {
  #secret: Buffer | undefined;

  /** Until then no request is trusted. */
  trust(secret: string): void {
    this.#secret = Buffer.from(secret);
  }

  trusts(request: RequestHead): boolean {
    const given = request.header(peerHeaders.secret);
    if (given === undefined || this.#secret === undefined) return false;
    const bytes = Buffer.from(given);
    return bytes.length === this.#secret.length && timingSafeEqual(bytes, this.#secret);
  }

  /** Returns the address of the client, of a request that is trusted. */
  clientOf(request: RequestHead): string {
    return request.header(peerHeaders.client) ?? '';
  }

  /** The header fields by which another process recognises a request, its client and its id. */
  fieldsFor({ remoteAddress, requestId }: SentRequest): readonly string[] {
    const id = requestId === undefined ? [] : [REQUEST_ID, requestId];
    if (this.#secret === undefined) return id;
    return [peerHeaders.secret, this.#secret.toString(), peerHeaders.client, remoteAddress, ...id];
  }
}
