/** The recorded results of the reference implementation, and how they are compared; they lie outside the project. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { parseProgram } from '../../src/ldpath/parser.ts';
import type { NodeObject } from '../../src/ldpath/result-json.ts';

const folder = new URL('../../../shared/vectors/ldpath/', import.meta.url);

export const areas = [
  'programs',
  'selectors',
  'tests',
  'recursion',
  'transformers',
  'parse-errors',
  'functions-core',
  'functions-text',
  'functions-math',
  'functions-date',
  'functions-collections',
  'functions-html',
  'functions-json',
  'functions-xml',
] as const;

export interface Case {
  readonly id: string;
  readonly data: string;
  readonly start: string;
  readonly kind: 'path' | 'program' | 'parse';
  readonly source: string;
  readonly expect: {
    readonly ok?: unknown;
    readonly error?: 'parse' | 'evaluation';
    readonly ordered?: boolean;
  };
}

export type Fields = Readonly<Record<string, readonly NodeObject[]>>;

/** Ids of the cases in which we differ on purpose. */
export const differences: ReadonlySet<string> = new Set(
  Array.from(
    readFileSync(new URL('ldpath-differences.md', import.meta.url), 'utf8').matchAll(
      /^\| `([a-z]+(?:-[a-z]+)*-\d+)`/gm,
    ),
    (match) => match[1]!,
  ),
);

/** Undefined where the vectors are not there. */
export function readCases(area: string): Case[] | undefined {
  const file = new URL(`${area}.json`, folder);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Case[]) : undefined;
}

/** The expected values by field; those of a path under `path`. */
export function expectedFields(one: Case): Fields {
  return (one.kind === 'path' ? { path: one.expect.ok } : one.expect.ok) as Fields;
}

/** Compares the values of every field: as multisets, unless the case is an ordered one. */
export function assertSameFields(one: Case, actual: Fields, expected: Fields): void {
  const typed = one.kind === 'path' ? new Set<string>() : typedFields(one.source);
  assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected).sort());
  for (const [name, nodes] of Object.entries(expected)) {
    const [found, wanted] = [actual[name]!, nodes].map((list) =>
      list.map((node) => comparable(node, typed.has(name))),
    );
    if (one.expect.ordered !== true) for (const list of [found!, wanted!]) list.sort();
    assert.deepEqual(found, wanted, name);
  }
}

/** Names of the fields that a transformer converts. */
function typedFields(source: string): ReadonlySet<string> {
  const { fields } = parseProgram(source, {}).program;
  return new Set(fields.filter(({ type }) => type !== undefined).map(({ name }) => name));
}

/** What a transformer made is shown as a plain literal there, and numbers in another form. */
function comparable(node: NodeObject, isTyped: boolean): string {
  const { type, value } = node;
  const datatype = node.datatype === 'http://www.w3.org/2001/XMLSchema#string' ? undefined : node.datatype;
  if (!isTyped) return JSON.stringify([type, value, node.lang?.toLowerCase(), datatype]);
  return JSON.stringify([
    type,
    /\d[.eE][\dE]/.test(value) && !Number.isNaN(Number(value)) ? Number(value) : value,
  ]);
}
