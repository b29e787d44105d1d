import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataFactory, Parser, Store } from 'n3';
import { Described, localName } from '../sparql/manifests/described.ts';
import type { FormatSuite, FormatTest } from './format-test.ts';

const PUBLISHED = 'https://w3c.github.io/rdf-tests/rdf/';

const ENTRIES = 'http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#entries';

/** Title, folder and media type of each format. */
const formats = [
  ['N-Triples', 'rdf-n-triples', 'application/n-triples'],
  ['N-Quads', 'rdf-n-quads', 'application/n-quads'],
  ['Turtle', 'rdf-turtle', 'text/turtle'],
  ['TriG', 'rdf-trig', 'application/trig'],
  ['RDF/XML', 'rdf-xml', 'application/rdf+xml'],
] as const;

/** Folders of each format in the suites of RDF 1.2. */
const parts = ['syntax', 'eval', 'c14n'];

/** Kinds of tests by the suffix of their class names. */
const kinds = [
  [/(?:Eval|C14N)$/, 'read'],
  [/PositiveSyntax$/, 'positive syntax'],
  [/NegativeSyntax$/, 'negative syntax'],
] as const;

/** Returns all tests of RDF formats that the manifests list, by version, format and kind. */
export function rdfSuites(folder: string): FormatSuite[] {
  return formats.flatMap(([title, name, mediaType]) => [
    ...suitesOf(title, readManifest(folder, `rdf11/${name}`, mediaType)),
    ...suitesOf(`RDF 1.2 ${title}`, readParts(folder, `rdf12/${name}`, mediaType)),
  ]);
}

function suitesOf(title: string, tests: readonly FormatTest[]): FormatSuite[] {
  return kinds
    .map(([, kind]) => ({ name: `${title}, ${kind}`, tests: tests.filter((test) => test.kind === kind) }))
    .filter((suite) => suite.tests.length > 0);
}

function readParts(folder: string, name: string, mediaType: string): FormatTest[] {
  return parts
    .map((part) => `${name}/${part}`)
    .filter((part) => existsSync(join(folder, part, 'manifest.ttl')))
    .flatMap((part) => readManifest(folder, part, mediaType));
}

function readManifest(folder: string, name: string, mediaType: string): FormatTest[] {
  const base = `${PUBLISHED}${name}/`;
  const iri = `${base}manifest.ttl`;
  const text = readFileSync(join(folder, name, 'manifest.ttl'), 'utf8');
  const graph = new Store(new Parser({ baseIRI: iri }).parse(text));
  const document = (property: string, node: Described) => {
    const address = node.one(property)?.value;
    return address === undefined ? undefined : { file: join(folder, name, address.slice(base.length)) };
  };
  const [manifest] = graph.getSubjects(DataFactory.namedNode(ENTRIES), null, null);
  if (!manifest) throw new Error(`The manifest of ${name} has no entries.`);
  return new Described(graph, manifest).list('mf:entries').flatMap((node) => {
    const type = node.types[0];
    const kind = kinds.find(([pattern]) => pattern.test(type ?? ''))?.[1];
    const input = document('mf:action', node);
    if (kind === undefined || input === undefined || !existsSync(input.file)) {
      throw new Error(`The manifest of ${name} has an entry that is not understood: ${node.value}`);
    }
    const expected = document('mf:result', node);
    const action = node.one('mf:action')!.value;
    const suite = name.replace(/^rdf11\//, '');
    const test = { name: `${suite}/${localName(node.value)}`, kind, mediaType, input, base: action };
    return [expected ? { ...test, expected } : test];
  });
}
