import type { LdPathService } from '../../../services/ldpath/ldpath.ts';
import { namesTag } from '../../headers/conditional.ts';
import type { Header } from '../../server/header.ts';
import type { HttpRequest, HttpResponse } from '../../server/message.ts';

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
 * request, and the server's software and settings: the language has no function that depends on time
 * or chance. All results of a commit have the same tag, so their headers are made once.
 */
export class ResultTags {
  readonly #data: Pick<LdPathService, 'sequence' | 'state'>;
  readonly #run: string;
  #latest: TaggedHeaders | undefined;

  /** `run`: letters and digits that differ at each start of the server. */
  constructor(data: Pick<LdPathService, 'sequence' | 'state'>, run: string) {
    this.#data = data;
    this.#run = run;
  }

  /** Returns 304 if the client has the result for the newest data. Nothing is evaluated then. */
  notModified(request: HttpRequest): HttpResponse | undefined {
    const known = request.header('if-none-match');
    if (known === undefined || namesAny(known)) return undefined;
    const { tag, notModified } = this.#headersFor(this.#data.sequence);
    return namesTag(known, tag) ? notModified : undefined;
  }

  /** Returns the response with a result. `sequence`: number of the commit that was evaluated. */
  respond(request: HttpRequest, body: Uint8Array, sequence: number): HttpResponse {
    const { ofResult, notModified } = this.#headersFor(sequence);
    const known = request.header('if-none-match');
    return known !== undefined && namesAny(known) ? notModified : { status: 200, headers: ofResult, body };
  }

  #headersFor(sequence: number): TaggedHeaders {
    if (this.#latest?.sequence !== sequence) this.#latest = this.#newHeaders(sequence);
    return this.#latest;
  }

  /**
   * The tag is weak, because a commit number may stand for equal data in another order, if an image
   * has been built again.
   */
  #newHeaders(sequence: number): TaggedHeaders {
    const tag = `"${this.#data.state(sequence)}-json.${this.#run}"`;
    const common: readonly Header[] = [
      ['ETag', `W/${tag}`],
      ['Vary', 'Accept'],
      ['Cache-Control', 'no-cache'],
    ];
    const ofResult: readonly Header[] = [['Content-Type', 'application/json'], ...common];
    return { sequence, tag, ofResult, notModified: { status: 304, headers: common } };
  }
}

/** Whether any result is current. Only the evaluation shows that there is one. */
function namesAny(ifNoneMatch: string): boolean {
  return ifNoneMatch.trim() === '*';
}
