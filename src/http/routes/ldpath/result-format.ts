import { failure, type Result } from '../../../errors.ts';
import type { Selection } from '../../../pool/evaluation-request.ts';
import { type NamedCandidate, negotiateFormat, withCharset } from '../../../rdf/media-types/accept.ts';
import type { Query } from '../../query.ts';
import type { Header } from '../../server/header.ts';
import type { HttpRequest } from '../../server/message.ts';

type ShapedFormat = NonNullable<Selection['format']>;

/** A format of results (http-api 4.11). */
export interface ResultFormat extends NamedCandidate {
  readonly name: 'nodes' | ShapedFormat;
  /** Of entity tags. */
  readonly variant: string;
  readonly contentType: string;
  /** The head of a response that has no entity tag. */
  readonly untagged: readonly Header[];
}

export const NDJSON = 'application/x-ndjson';

const nodes = formatOf('nodes', 'application/json', ['nodes', 'json']);
const lines = { ...formatOf('nodes', NDJSON, ['nodes', 'json']), aliases: ['application/json'] };

const shaped: readonly ResultFormat[] = [
  formatOf('values', 'application/vnd.pathpool.values+json'),
  formatOf('csv', 'text/csv'),
  formatOf('tsv', 'text/tab-separated-values'),
  formatOf('solr', 'application/vnd.pathpool.solr+json'),
  formatOf('bulk', 'application/vnd.elasticsearch+x-ndjson'),
  formatOf('jsonld', 'application/ld+json', ['jsonld', 'json-ld']),
];

/** Of one result. Nodes come first, so that wildcards select them. */
const formatsOfOne: readonly ResultFormat[] = [nodes, ...shaped];
/** Of several results in a stream: some are lines of JSON. */
const formatsOfMany: readonly ResultFormat[] = [
  lines,
  ...shaped.map((each) => (each.name === 'values' ? { ...each, contentType: NDJSON } : each)),
  formatOf('solr-documents', NDJSON),
  formatOf('bulk-documents', NDJSON),
];
const lineNames: ReadonlySet<ResultFormat['name']> = new Set([
  'nodes',
  'values',
  'solr-documents',
  'bulk-documents',
]);

function formatOf(
  name: ResultFormat['name'],
  type: string,
  shortNames: readonly string[] = [name],
): ResultFormat {
  const variant = name === 'nodes' ? 'json' : name;
  const contentType = withCharset(type);
  const untagged: readonly Header[] = [
    ['Content-Type', contentType],
    ['Cache-Control', 'no-store'],
  ];
  return { name, variant, type, shortNames, contentType, untagged };
}

/** Returns the format of one result. Error `not-acceptable`. */
export function formatOfOne(request: HttpRequest, query: Query): Result<ResultFormat> {
  const given = query.get('format');
  const accept = request.header('accept');
  const isAny = accept === undefined || accept === 'application/json' || accept === '*/*';
  return given === undefined && isAny ? asNodes : chosen(accept, given, formatsOfOne);
}

/** Returns the format of a stream of results. `given`: the member `format`. */
export function formatOfMany(request: HttpRequest, given: string | undefined): Result<ResultFormat> {
  return chosen(request.header('accept'), given, formatsOfMany);
}

/** Returns the format of changed results, which are lines of JSON. Error `not-acceptable`. */
export function formatOfChanges(given: string | undefined): Result<ResultFormat> {
  return chosen(undefined, given, formatsOfMany.filter(isLines));
}

/** Whether results are lines of JSON, among which errors have their places. */
export function isLines({ name }: ResultFormat): boolean {
  return lineNames.has(name);
}

const asNodes: Result<ResultFormat> = { ok: true, value: nodes };

function chosen(
  accept: string | undefined,
  given: string | undefined,
  candidates: readonly ResultFormat[],
): Result<ResultFormat> {
  const choice = negotiateFormat(accept, given, candidates);
  if (choice) return { ok: true, value: choice.candidate };
  const available = [...new Set(candidates.map(({ type }) => type))];
  return failure('not-acceptable', 'Results are available in other formats only.', { available });
}

/** Returns the parameter `separator`, which may be a blank. Error `bad-arguments`. */
export function separatorOf(query: Query): Result<string | undefined> {
  return checkedSeparator(query.values('separator')[0]);
}

/** `given`: the parameter or member `separator`. Error `bad-arguments`. */
export function checkedSeparator(given: unknown): Result<string | undefined> {
  if (given === undefined) return noSeparator;
  if (typeof given === 'string' && isSeparator.test(given)) return { ok: true, value: given };
  const message = "'separator' must be one printable ASCII character other than a quote and a backslash.";
  return failure('bad-arguments', message);
}

const noSeparator = { ok: true, value: undefined } as const;
const isSeparator = /^[ !#-[\]-~]$/;

/** Returns a selection whose results have a format. */
export function inFormat(
  selection: Selection,
  { name }: ResultFormat,
  separator: string | undefined,
): Selection {
  if (name === 'nodes') return selection;
  const isTable = name === 'csv' || name === 'tsv';
  return { ...selection, format: name, ...(isTable && separator !== undefined && { separator }) };
}
