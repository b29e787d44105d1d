import { writesEverything } from '../../../base/graph-access.ts';
import { failure } from '../../../errors.ts';
import { isStorablePrefix } from '../../../services/prefixes/service.ts';
import { jsonResponse, rejectUnlessJson } from '../../json-response.ts';
import { required } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import { plainText } from '../../server/header.ts';
import { type HandlerResult, type HttpRequest, isRejection, rejection } from '../../server/message.ts';
import { unknownPrefix } from './read.ts';
import type { PrefixTableService } from './service.ts';
import { badPrefix, checkedNamespace, notForSome, type PrefixWrites } from './write.ts';

/** Handles what Marmotta's web service `/prefix` had, on the same table (P-95). */
export class MarmottaPrefixes {
  readonly #prefixes: PrefixTableService;
  readonly #writes: PrefixWrites;

  constructor(prefixes: PrefixTableService, writes: PrefixWrites) {
    this.#prefixes = prefixes;
    this.#writes = writes;
  }

  list(request: HttpRequest): HandlerResult {
    return rejectUnlessJson(request) ?? jsonResponse(JSON.stringify(this.#prefixes.table));
  }

  /** `reverse` finds the prefix of a namespace. */
  read(request: HttpRequest, prefix: string, query: Query): HandlerResult {
    const rejected = rejectUnlessJson(request);
    if (rejected) return rejected;
    if (prefix === 'reverse') return this.#reverse(query);
    const known = this.#prefixes.get(prefix);
    return known ? jsonResponse(JSON.stringify({ [prefix]: known.namespace })) : unknownPrefix(prefix);
  }

  #reverse(query: Query): HandlerResult {
    const uri = required(query, 'uri');
    if (!uri.ok) return uri;
    const prefix = this.#prefixes.prefixOf(uri.value);
    if (prefix !== undefined) return jsonResponse(JSON.stringify({ [uri.value]: prefix }));
    return failure('prefix-not-found', `The server knows no prefix for <${uri.value}>.`);
  }

  /** Changes no prefix that the server knows. */
  async add(request: HttpRequest, prefix: string, query: Query): Promise<HandlerResult> {
    if (!writesEverything(request)) return notForSome;
    if (!isStorablePrefix(prefix)) return badPrefix;
    const uri = required(query, 'uri');
    if (!uri.ok) return uri;
    const namespace = checkedNamespace(uri.value, 'uri');
    if (!namespace.ok) return namespace;
    const { writeError } = this.#prefixes;
    if (writeError) return rejection(writeError);
    if (this.#prefixes.get(prefix)) return taken(prefix);
    const stored = await this.#prefixes.put(prefix, namespace.value, { noneMatch: '*' });
    if (stored.ok) return { status: 201, headers: [] };
    return stored.error.code === 'precondition-failed' ? taken(prefix) : stored;
  }

  async remove(request: HttpRequest, prefix: string): Promise<HandlerResult> {
    const removed = await this.#writes.remove(request, prefix);
    if (isRejection(removed)) return removed;
    return { status: 200, headers: [plainText], body: `${prefix} deleted` };
  }
}

function taken(prefix: string) {
  return failure('prefix-exists', `The server knows the prefix '${prefix}' already.`);
}
