import { Parser, Store } from 'n3';
import { type Described, instancesOf } from '../manifests/described.ts';
import { readQuads } from '../manifests/files.ts';
import type { Answer } from './answer.ts';
import { graphOf } from './answer.ts';
import { readResultsXml } from './results-xml.ts';
import { iriText, literalText, termText } from './terms.ts';

const mediaTypes: Readonly<Record<string, string>> = {
  'application/sparql-results+xml': '.srx',
  'application/sparql-results+json': '.srj',
  'text/csv': '.csv',
  'text/tab-separated-values': '.tsv',
  'text/turtle': '.ttl',
  'application/n-triples': '.nt',
  'application/rdf+xml': '.rdf',
};

/** Returns the file extension for a media type, ignoring its parameters; '' for other types. */
export function extensionOf(mediaType: string): string {
  return mediaTypes[mediaType.split(';')[0]?.trim().toLowerCase() ?? ''] ?? '';
}

export function mediaTypeOf(extension: string): string {
  return Object.entries(mediaTypes).find(([, other]) => other === extension)?.[0] ?? '';
}

/**
 * Reads results by the extension of their file. RDF is a graph, unless it describes a set of
 * results in the vocabulary of the suites. CSV has texts instead of terms; blank nodes are told by
 * `_:`.
 */
export function readAnswer(text: string, extension: string, base: string): Answer {
  if (extension === '.srx') return readResultsXml(text);
  if (extension === '.srj') return readJson(text);
  if (extension === '.csv') return readCsv(text);
  if (extension === '.tsv') return readTsv(text);
  const quads = readQuads(text, extension, base);
  const [results] = instancesOf(new Store(quads), 'rs:ResultSet');
  return results ? readResultSet(results) : graphOf(quads);
}

interface JsonTerm {
  readonly type: string;
  readonly value: string;
  readonly datatype?: string;
  readonly 'xml:lang'?: string;
}

interface JsonResults {
  readonly boolean?: boolean;
  readonly head: { readonly vars?: readonly string[] };
  readonly results?: { readonly bindings: readonly Readonly<Record<string, JsonTerm>>[] };
}

function readJson(text: string): Answer {
  const json = JSON.parse(text) as JsonResults;
  if (json.boolean !== undefined) return { kind: 'boolean', value: json.boolean };
  const variables = json.head.vars ?? [];
  const bindings = json.results?.bindings ?? [];
  const stray = bindings.flatMap(Object.keys).find((name) => !variables.includes(name));
  if (stray !== undefined) throw new Error(`?${stray} has a value, and is not in the head.`);
  const rows = bindings.map((binding) => variables.map((name) => jsonTermText(binding[name])));
  return { kind: 'table', variables, rows };
}

function jsonTermText(term: JsonTerm | undefined): string {
  if (!term) return '';
  if (term.type === 'uri') return iriText(term.value);
  if (term.type === 'bnode') return `_:${term.value}`;
  if (term.type !== 'literal' && term.type !== 'typed-literal') throw new Error(`No type: ${term.type}`);
  return literalText(term.value, term['xml:lang'], term.datatype);
}

function readCsv(text: string): Answer {
  const [variables = [], ...rows] = csvRecords(text);
  return { kind: 'table', variables, rows };
}

/** RFC 4180; lines may also end in a bare line feed. */
function csvRecords(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    if (end === '' && record.length === 0 && quoted === undefined && plain === '') break;
    record.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
}

function readTsv(text: string): Answer {
  const [head = '', ...lines] = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const variables = head === '' ? [] : head.split('\t').map((name) => name.replace(/^[?$]/, ''));
  return { kind: 'table', variables, rows: lines.map((line) => line.split('\t').map(tsvTermText)) };
}

/** Terms of TSV are written as in Turtle. */
function tsvTermText(cell: string): string {
  if (cell === '' || cell.startsWith('_:')) return cell;
  const [quad] = new Parser().parse(`<urn:s> <urn:p> ${cell} .`);
  return termText(quad!.object);
}

function readResultSet(results: Described): Answer {
  const answer = results.one('rs:boolean');
  if (answer) return { kind: 'boolean', value: answer.value === 'true' };
  const variables = results.all('rs:resultVariable').map(({ value }) => value);
  const solutions = results.all('rs:solution');
  const index = (solution: Described) => Number(solution.one('rs:index')?.value ?? 0);
  solutions.sort((a, b) => index(a) - index(b));
  return {
    kind: 'table',
    variables,
    rows: solutions.map((solution) => variables.map((name) => boundTo(solution, name))),
  };
}

function boundTo(solution: Described, name: string): string {
  const binding = solution.all('rs:binding').find((each) => each.one('rs:variable')?.value === name);
  const value = binding?.one('rs:value');
  return value ? termText(value.term) : '';
}
