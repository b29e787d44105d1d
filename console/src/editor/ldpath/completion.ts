import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippetCompletion,
} from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import { type Namespaces, serverNamespaces } from '../../resources/prefixes.ts';
import {
  askUtility,
  declaredNamespaces,
  expanded,
  knownFunctions,
  namespaceParameters,
  shortened,
} from './known-names.ts';
import { unfinishedPath } from './unfinished-path.ts';

/** Start resources, from which a path can be followed to see where it may go on. */
export type StartsOf = () => readonly string[];

/** The text at the cursor, and what surrounds it. */
interface Place {
  readonly from: number;
  readonly word: string;
  /** The program to the cursor. */
  readonly before: string;
  readonly declared: Namespaces;
  readonly signal: AbortSignal;
}

type Source = (place: Place) => Promise<Completion[]>;

const WORD = /[\p{L}\p{N}_\-.%]*(?::[\p{L}\p{N}_\-.%]*)?$/u;
const OPEN_IRI = /<[^\s<>"]*$/;
const DIRECTIVES: readonly Completion[] = [
  snippetCompletion('@prefix #{prefix}: <#{namespace}> ;', { label: '@prefix', type: 'keyword' }),
  snippetCompletion('@graph <#{iri}> ;', { label: '@graph', type: 'keyword' }),
  snippetCompletion('@filter #{test} ;', { label: '@filter', type: 'keyword' }),
  snippetCompletion('@boost #{path} ;', { label: '@boost', type: 'keyword' }),
];
/** More start resources would tell little more, and cost as much again. */
const MAX_FOLLOWED = 3;

/** Completes prefixes, properties, functions, types, IRIs and directives. */
export function ldpathCompletion(
  startsOf: StartsOf,
): (context: CompletionContext) => Promise<CompletionResult | null> {
  return async (context) => {
    const node = syntaxTree(context.state).resolveInner(context.pos, -1);
    if (node.name === 'comment' || (node.name === 'string' && node.to >= context.pos)) return null;
    const before = context.state.sliceDoc(0, context.pos);
    const choice = sourceFor(before, context.explicit, startsOf);
    if (!choice) return null;
    const abort = new AbortController();
    context.addEventListener('abort', () => abort.abort(), { onDocChange: true });
    const declared = declaredNamespaces(context.state.doc.toString());
    const { word, source } = choice;
    const place = { from: context.pos - word.length, word, before, declared, signal: abort.signal };
    try {
      const options = await source(place);
      return options.length === 0 ? null : { from: place.from, options, ...validity(word) };
    } catch {
      // The server is asked again for the next letter.
      return null;
    }
  };
}

function sourceFor(
  before: string,
  explicit: boolean,
  startsOf: StartsOf,
): { readonly word: string; readonly source: Source } | undefined {
  const iri = OPEN_IRI.exec(before)?.[0];
  if (iri !== undefined) return { word: iri, source: iris };
  const directive = /(?:^|[;\s])(@[a-z]*)$/.exec(before)?.[1];
  if (directive !== undefined) return { word: directive, source: async () => [...DIRECTIVES] };
  const word = WORD.exec(before)![0];
  const preceding = before.slice(0, before.length - word.length);
  if (/(?:::|\^\^)\s*$/.test(preceding)) return { word, source: types };
  if (word.startsWith('fn:')) return { word, source: functions };
  const begins = word !== '' || explicit || /[/=[(|&,^]\s*$/.test(preceding);
  const isNumber = /^[\d.]+$/.test(word);
  if (!begins || isNumber) return undefined;
  const names = word.includes(':') ? namesWithPrefix : prefixes;
  const source: Source = async (place) => {
    const [likely, others] = await Promise.all([
      propertiesOnThePath(place, startsOf()).catch(() => []),
      names(place),
    ]);
    const known = new Set(likely.map(({ label }) => label));
    return [...likely, ...others.filter(({ label }) => !known.has(label))];
  };
  return { word, source };
}

/** The server returns at most 20 names, so more letters need another request. */
function validity(word: string): Pick<CompletionResult, 'validFor'> {
  if (word.startsWith('<') || (word.includes(':') && !word.startsWith('fn:'))) return {};
  return { validFor: word.startsWith('fn:') ? /^fn:\w*$/ : /^@?[\w-]*$/ };
}

async function prefixes({ declared }: Place): Promise<Completion[]> {
  const namespaces = { ...(await serverNamespaces()), ...declared };
  const options = Object.entries(namespaces).map(([prefix, namespace]) => ({
    label: `${prefix}:`,
    detail: namespace,
    type: 'namespace',
  }));
  return [...options, { label: 'fn:', detail: 'functions', type: 'namespace' }];
}

async function namesWithPrefix({ word, declared, signal }: Place): Promise<Completion[]> {
  const names = await askUtility<string[]>(
    'complete',
    [['prefix', word], ...namespaceParameters(declared)],
    signal,
  );
  return names.map((label) => ({ label, type: 'property' }));
}

async function iris({ word, before, declared, signal }: Place): Promise<Completion[]> {
  const prefix = /@prefix\s+(\S+?)\s*:\s*<[^<>]*$/.exec(before)?.[1];
  if (prefix !== undefined) return namespaceOf(prefix);
  const known = { ...(await serverNamespaces()), ...declared };
  const names = await askUtility<string[]>('complete', [['uri', word.slice(1)]], signal);
  return names.map((name) => {
    const iri = expanded(name, known) ?? name;
    return { label: `<${iri}`, apply: name === iri ? `<${iri}>` : name, type: 'property' };
  });
}

async function namespaceOf(prefix: string): Promise<Completion[]> {
  const namespace = expanded(`${prefix}:`, await serverNamespaces());
  return namespace === undefined
    ? []
    : [{ label: `<${namespace}`, apply: `<${namespace}>`, type: 'namespace' }];
}

async function types({ signal }: Place): Promise<Completion[]> {
  const names = await askUtility<string[]>(
    'complete',
    [
      ['mode', 'transformer'],
      ['prefix', 'xsd:'],
    ],
    signal,
  );
  return names.map((label) => ({ label, type: 'type' }));
}

async function functions(): Promise<Completion[]> {
  const known = await knownFunctions();
  return known.map(({ name, signature, description }) =>
    snippetCompletion(`fn:${name}(#{})`, {
      label: `fn:${name}`,
      detail: signature.slice(signature.indexOf('(')),
      info: description,
      type: 'function',
    }),
  );
}

/** The properties that the data have where the path before the cursor leads. */
async function propertiesOnThePath(
  { before, word, declared, signal }: Place,
  starts: readonly string[],
): Promise<Completion[]> {
  const path = unfinishedPath(before);
  if (path === undefined || starts.length === 0) return [];
  const known = { ...(await serverNamespaces()), ...declared };
  const contexts = starts.slice(0, MAX_FOLLOWED).map((start) => ['ctx', start] as const);
  const properties = await askUtility<string[]>(
    'path',
    [['path', path], ...contexts, ...namespaceParameters(declared)],
    signal,
  );
  const names = properties.map((iri) => nameIn(iri, known)).filter((name) => name.startsWith(word));
  return names.map((label) => ({ label, type: 'property', detail: 'in the data', boost: 2 }));
}

function nameIn(iri: string, known: Namespaces): string {
  const name = shortened(iri, known);
  return name === iri ? `<${iri}>` : name;
}
