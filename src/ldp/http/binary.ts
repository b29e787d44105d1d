import { decideRead } from '../../http/headers/conditional.ts';
import { describeBytes, sendContent } from '../../http/routes/content/read.ts';
import { readValidators } from '../../http/routes/meta/read.ts';
import { mimeOf } from '../../http/routes/resources/negotiation.ts';
import type { HttpReply, HttpRequest } from '../../http/server/message.ts';
import { readableTypes } from '../../rdf/media-types/media-types.ts';
import type { ContentInfo } from '../../services/content/content.ts';
import type { LdpProblems } from './constraint-problem.ts';
import type { LdpHeaders } from './headers.ts';
import { takesType } from './negotiation.ts';
import type { Ldp, LiveEntry } from './service.ts';

/** Serves the bytes of binaries (http-api 5.4). */
export class LdpBinaries {
  readonly #ldp: Ldp;
  readonly #headers: LdpHeaders;
  readonly #problems: LdpProblems;

  constructor(ldp: Ldp, headers: LdpHeaders, problems: LdpProblems) {
    this.#ldp = ldp;
    this.#headers = headers;
    this.#problems = problems;
  }

  /** Whether the client accepts the media type of the binary. */
  isAcceptable(request: HttpRequest, uri: string): boolean {
    const content = this.#ldp.space.content(uri);
    return content !== undefined && takesType(request.header('accept'), mimeOf(content.contentType));
  }

  /**
   * Returns the response for a client that accepts neither the binary's media type nor an RDF
   * format.
   */
  notAcceptable(request: HttpRequest, uri: string): HttpReply {
    const content = this.#ldp.space.content(uri);
    const own = content ? [mimeOf(content.contentType)] : [];
    return this.#problems.notAcceptable(request, uri, [...own, ...readableTypes]);
  }

  /** Handles GET and HEAD, with ranges. `entry`: from the newest snapshot. */
  read(request: HttpRequest, uri: string, entry: LiveEntry): HttpReply | Promise<HttpReply> {
    const content = this.#ldp.space.content(uri)!;
    const info: ContentInfo = { ...content, state: this.#ldp.space.state(entry), modified: entry.modified };
    const entityTag = `"${info.state}"`;
    const decision = decideRead(request, entityTag, info);
    if (decision === 'precondition-failed') return this.#problems.preconditionFailed(request, uri);
    const [link, ...others] = this.#headers.all(uri, entry.kind);
    const validators = [...readValidators(entityTag, info.modified), ['Vary', 'Accept'] as const, link!];
    if (decision === 'not-modified') return { status: 304, headers: validators };
    const headers = [...validators, ...others, ...describeBytes(info)];
    // An empty binary has no ranges and nothing to read.
    if (request.method === 'HEAD' || info.bytes === 0) return { status: 200, headers, length: info.bytes };
    return this.#send(request, uri, entry, info, headers);
  }

  async #send(
    request: HttpRequest,
    uri: string,
    entry: LiveEntry,
    info: ContentInfo,
    headers: HttpReply['headers'],
  ): Promise<HttpReply> {
    const reply = await sendContent(this.#ldp.content, request, info, `"${info.state}"`, headers);
    if (reply.status < 400) return reply;
    const now = this.#ldp.space.entry(uri);
    if (now === undefined || now === 'gone') return this.#problems.missing(request, uri);
    // The file was removed because the bytes have just been replaced: serve the new ones.
    if (reply.status === 503 && now.sequence !== entry.sequence) return this.read(request, uri, now);
    return { ...reply, headers: [...reply.headers, this.#headers.link(uri, 'binary')] };
  }
}
