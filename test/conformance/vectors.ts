/**
 * The recorded results of the reference engine (see `ldpath/README.md`), and how they are compared.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NodeObject } from '../../src/ldpath/evaluate/node-object.ts';
import { parseProgram } from '../../src/ldpath/syntax/parser.ts';
import { projectFile } from '../support/project.ts';

const folder = projectFile('test/conformance/ldpath/');

const areas = [
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
  /** N-Triples. */
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

/** Ids of the cases with deliberate differences. */
export const differences: ReadonlySet<string> = new Set(
  Array.from(
    readFileSync(projectFile('test/conformance/ldpath-differences.md'), 'utf8').matchAll(
      /^\| `([a-z]+(?:-[a-z]+)*-\d+)`/gm,
    ),
    (match) => match[1]!,
  ),
);

/** All cases by area. Throws if a file is missing, so that no test passes for lack of data. */
export const casesByArea: ReadonlyMap<string, readonly Case[]> = new Map(
  areas.map((area) => [area, readCases(area)]),
);

function readCases(area: string): Case[] {
  const cases = JSON.parse(readText(`${area}.json`)) as Case[];
  return cases.map((one) => ({ ...one, data: readText(`data/${one.data}.nt`) }));
}

function readText(path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

/** Returns the expected values by field; those of a path under `path`. */
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

/** Returns the names of the fields that a transformer converts. */
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
