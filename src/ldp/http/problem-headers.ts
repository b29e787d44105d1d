import type { Header } from '../../http/server/header.ts';
import type { HttpRequest, Rejection } from '../../http/server/message.ts';
import { parseLdpPath } from '../main/path.ts';
import type { LdpHeaders } from './headers.ts';
import type { Ldp } from './service.ts';

/** The headers of problems below `/ldp`, which have links like every other response there. */
export class LdpProblemHeaders {
  readonly #space: Ldp['space'];
  readonly #headers: LdpHeaders;

  constructor(space: Ldp['space'], headers: LdpHeaders) {
    this.#space = space;
    this.#headers = headers;
  }

  /** `rest`: the part of the request path after the root container (http-api 5.2). */
  of({ error, headers = [] }: Rejection, rest: string, request: HttpRequest): readonly Header[] {
    const path = parseLdpPath(rest);
    const uri = this.#space.root + (path.ok && !path.value.slash ? path.value.path : rest);
    const entry = this.#space.shown(uri, request);
    if (entry === undefined || entry === 'gone') return [...this.#headers.links(uri, undefined), ...headers];
    const links = this.#headers.links(uri, entry.kind);
    // Which methods a resource supports depends on its kind.
    if (error.code === 'method-not-allowed') return [...links, this.#headers.allow(uri, entry.kind)];
    return [...links, ...headers];
  }
}
