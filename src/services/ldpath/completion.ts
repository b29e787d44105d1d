import type { IriPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import type { IriSearch } from './iri-completion.ts';
import type { LanguageService } from './language.ts';

export interface CompletionRequest {
  /** The beginning of a URI; takes precedence over `prefix`. */
  readonly uri: string | undefined;
  /** The beginning of a prefixed name. */
  readonly prefix: string | undefined;
  /** `path`: names in the data; `transformer`: result types. */
  readonly mode: 'path' | 'transformer';
  readonly namespaces: Readonly<Record<string, string>>;
  /** The graphs whose names are offered; undefined: all. */
  readonly visible: IriPatterns | undefined;
}

const MOST_IRIS = 20;
const FUNCTION_PREFIX = 'fn';

/** Completes text in an editor (http-api 4.7). */
export class CompletionService {
  readonly #iris: Pick<IriSearch, 'find'>;
  readonly #language: Pick<LanguageService, 'functions' | 'types'>;

  constructor(iris: Pick<IriSearch, 'find'>, language: Pick<LanguageService, 'functions' | 'types'>) {
    this.#iris = iris;
    this.#language = language;
  }

  async complete(request: CompletionRequest): Promise<string[]> {
    const { uri, prefix, namespaces } = request;
    if (uri !== undefined) return this.#names(uri, request);
    if (prefix === undefined) return [];
    const colon = prefix.indexOf(':');
    if (colon < 0) return this.#prefixes(prefix, request);
    const [name, local] = [prefix.slice(0, colon), prefix.slice(colon + 1)];
    if (name === FUNCTION_PREFIX) return this.#functions(local);
    const namespace = ownValue(namespaces, name);
    return namespace === undefined ? [] : this.#names(namespace + local, request, namespace);
  }

  async #functions(start: string): Promise<string[]> {
    const functions = await this.#language.functions();
    const names = functions.map(({ name }) => name).filter((name) => name.startsWith(start));
    return [...new Set(names)].map((name) => `fn:${name}()`);
  }

  /**
   * Returns IRIs, followed by result types. `bare`: a namespace that is not itself a completion.
   */
  async #names(
    start: string,
    { mode, namespaces, visible }: CompletionRequest,
    bare?: string,
  ): Promise<string[]> {
    const isOffered = (iri: string) => iri.startsWith(start) && iri !== bare;
    const types = (await this.#language.types()).filter(isOffered).toSorted();
    const found = mode === 'path' ? await this.#iris.find(start, MOST_IRIS + 1, visible) : [];
    const iris = found.filter(isOffered).slice(0, MOST_IRIS);
    const shorten = shortener(namespaces);
    return [...new Set([...iris, ...types].map(shorten))];
  }

  async #prefixes(start: string, { mode, namespaces }: CompletionRequest): Promise<string[]> {
    const known =
      mode === 'path' ? [...Object.keys(namespaces), FUNCTION_PREFIX] : await this.#typePrefixes(namespaces);
    return [...new Set(known)].filter((name) => name.startsWith(start)).sort();
  }

  async #typePrefixes(namespaces: Readonly<Record<string, string>>): Promise<string[]> {
    const ofTypes = new Set((await this.#language.types()).map(namespaceOf));
    return Object.keys(namespaces).filter((name) => ofTypes.has(namespaces[name]!));
  }
}

/**
 * Returns a function that abbreviates IRIs to `prefix:local` if the part before their local name is
 * exactly a known namespace.
 */
function shortener(namespaces: Readonly<Record<string, string>>): (iri: string) => string {
  const prefixes = new Map<string, string>();
  for (const [prefix, namespace] of Object.entries(namespaces)) {
    if (!prefixes.has(namespace)) prefixes.set(namespace, prefix);
  }
  return (iri) => {
    const namespace = namespaceOf(iri);
    const prefix = prefixes.get(namespace);
    const local = iri.slice(namespace.length);
    return prefix === undefined || local === '' ? iri : `${prefix}:${local}`;
  };
}

/** Returns the IRI up to and including its last `#`, else its last `/`, else its last `:`. */
function namespaceOf(iri: string): string {
  const hash = iri.lastIndexOf('#');
  const end = hash >= 0 ? hash : iri.lastIndexOf('/');
  return iri.slice(0, (end >= 0 ? end : iri.lastIndexOf(':')) + 1);
}

function ownValue(namespaces: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(namespaces, name) ? namespaces[name] : undefined;
}
