import type { Failure } from '../../errors.ts';
import { decideRead } from '../../http/headers/conditional.ts';
import { describeBytes, entityTagOf, sendContent } from '../../http/routes/content/read.ts';
import { readValidators } from '../../http/routes/meta/read.ts';
import { mimeOf } from '../../http/routes/resources/negotiation.ts';
import {
  type HandlerResult,
  type HttpRequest,
  type HttpResponse,
  isRejection,
  type PendingResult,
} from '../../http/server/message.ts';
import { readableTypes } from '../../rdf/media-types/media-types.ts';
import type { ContentInfo } from '../../services/content/content.ts';
import { missing, notAcceptable, preconditionFailed } from './errors.ts';
import type { LdpHeaders } from './headers.ts';
import { takesType } from './negotiation.ts';
import type { Ldp, LiveEntry } from './service.ts';

/** Serves the bytes of binaries (http-api 5.4). */
export class LdpBinaries {
  readonly #ldp: Ldp;
  readonly #headers: LdpHeaders;

  constructor(ldp: Ldp, headers: LdpHeaders) {
    this.#ldp = ldp;
    this.#headers = headers;
  }

  /** Whether the client accepts the media type of the binary. */
  isAcceptable(request: HttpRequest, uri: string): boolean {
    const content = this.#ldp.space.content(uri);
    return content !== undefined && takesType(request.header('accept'), mimeOf(content.contentType));
  }

  /** Returns the error if a client accepts neither the binary's media type nor an RDF format. */
  notAcceptable(uri: string): Failure {
    const content = this.#ldp.space.content(uri);
    const own = content ? [mimeOf(content.contentType)] : [];
    return notAcceptable(uri, [...own, ...readableTypes]);
  }

  /** Handles GET and HEAD, with ranges. `entry`: from the newest snapshot. */
  read(request: HttpRequest, uri: string, entry: LiveEntry): PendingResult {
    const content = this.#ldp.space.content(uri)!;
    const info: ContentInfo = { ...content, state: this.#ldp.space.state(entry), modified: entry.modified };
    const entityTag = entityTagOf(info);
    const decision = decideRead(request, entityTag, info);
    if (decision === 'precondition-failed') return preconditionFailed(uri);
    const validators = [...readValidators(entityTag, info.modified), ['Vary', 'Accept'] as const];
    if (decision === 'not-modified') {
      return { status: 304, headers: [...validators, ...this.#headers.links(uri, entry.kind)] };
    }
    const headers = [...validators, ...this.#headers.all(uri, entry.kind), ...describeBytes(info)];
    // An empty binary has no ranges and nothing to read.
    if (request.method === 'HEAD' || info.bytes === 0) return { status: 200, headers, length: info.bytes };
    return this.#send(request, uri, { ...info, sequence: entry.sequence }, headers);
  }

  /** `info.sequence`: that of the commit in which the bytes were stored. */
  async #send(
    request: HttpRequest,
    uri: string,
    info: ContentInfo & Pick<LiveEntry, 'sequence'>,
    headers: HttpResponse['headers'],
  ): Promise<HandlerResult> {
    const sent = await sendContent(this.#ldp.content, request, info, headers);
    if (!isRejection(sent)) return sent;
    const now = this.#ldp.space.shown(uri, request);
    if (now === undefined || now === 'gone') return missing(this.#ldp.space, uri, request);
    // The file was removed because the bytes have just been replaced: serve the new ones.
    const isReplaced = now.sequence !== info.sequence;
    return sent.error.code === 'overloaded' && isReplaced ? this.read(request, uri, now) : sent;
  }
}
