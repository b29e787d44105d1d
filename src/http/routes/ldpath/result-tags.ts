import { seesEverything } from '../../../base/graph-access.ts';
import type { Evaluated } from '../../../pool/evaluation-request.ts';
import type { LdPathService } from '../../../services/ldpath/ldpath.ts';
import { namesTag } from '../../headers/conditional.ts';
import type { Header } from '../../server/header.ts';
import type { HttpRequest, HttpResponse } from '../../server/message.ts';
import type { ResultFormat } from './result-format.ts';

/** The headers of the results of one commit. */
interface TaggedHeaders {
  readonly sequence: number;
  /** Without `W/`. */
  readonly tag: string;
  readonly ofResult: readonly Header[];
  readonly notModified: HttpResponse;
}

/**
 * The entity tags of results that GET returns (P-9). A result is determined by the data, the
 * request, and the server's software and settings: the language has no function that depends on
 * time or chance. All results of a commit in one format have the same tag, so their headers are
 * made once.
 *
 * What a client gets that may not read all graphs has no tag: a commit changes the tag, but perhaps
 * nothing that the client may know of (G-165).
 */
export class ResultTags {
  readonly #data: Pick<LdPathService, 'sequence' | 'state'>;
  readonly #run: string;
  /** By the name of the format. */
  readonly #latest = new Map<string, TaggedHeaders>();

  /** `run`: letters and digits that differ at each start of the server. */
  constructor(data: Pick<LdPathService, 'sequence' | 'state'>, run: string) {
    this.#data = data;
    this.#run = run;
  }

  /** Returns 304 if the client has the result for the newest data. Nothing is evaluated then. */
  notModified(request: HttpRequest, format: ResultFormat): HttpResponse | undefined {
    const known = request.header('if-none-match');
    if (known === undefined || namesAny(known) || !seesEverything(request)) return undefined;
    const { tag, notModified } = this.#headersFor(this.#data.sequence, format);
    return namesTag(known, tag) ? notModified : undefined;
  }

  /** Returns the response with a result. `sequence`: number of the commit that was evaluated. */
  respond(
    request: HttpRequest,
    format: ResultFormat,
    { value: body, sequence }: Pick<Evaluated, 'value' | 'sequence'>,
  ): HttpResponse {
    if (!seesEverything(request)) return { status: 200, headers: withoutTag(format), body };
    const { ofResult, notModified } = this.#headersFor(sequence, format);
    const known = request.header('if-none-match');
    return known !== undefined && namesAny(known) ? notModified : { status: 200, headers: ofResult, body };
  }

  #headersFor(sequence: number, format: ResultFormat): TaggedHeaders {
    const latest = this.#latest.get(format.name);
    if (latest?.sequence === sequence) return latest;
    const headers = this.#newHeaders(sequence, format);
    this.#latest.set(format.name, headers);
    return headers;
  }

  /**
   * The tag is weak, because a commit number may stand for equal data in another order, if an image
   * has been built again.
   */
  #newHeaders(sequence: number, { variant, contentType }: ResultFormat): TaggedHeaders {
    const tag = `"${this.#data.state(sequence)}-${variant}.${this.#run}"`;
    const common: readonly Header[] = [
      ['ETag', `W/${tag}`],
      ['Vary', 'Accept'],
      ['Cache-Control', 'no-cache'],
    ];
    const ofResult: readonly Header[] = [['Content-Type', contentType], ...common];
    return { sequence, tag, ofResult, notModified: { status: 304, headers: common } };
  }
}

function withoutTag({ contentType }: ResultFormat): readonly Header[] {
  return [
    ['Content-Type', contentType],
    ['Vary', 'Accept'],
    ['Cache-Control', 'no-cache'],
  ];
}

/** Whether any result is current. Only the evaluation shows that there is one. */
function namesAny(ifNoneMatch: string): boolean {
  return ifNoneMatch.trim() === '*';
}
