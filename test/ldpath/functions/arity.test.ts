import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compilePath } from '../../../src/ldpath/compile/compiler.ts';
import { allFunctions } from '../../../src/ldpath/functions/catalog.ts';
import { errorOf } from '../support.ts';

const MANY = Number.POSITIVE_INFINITY;

/** How many arguments each function takes at least and at most (ldpath 5). */
const selectors: Readonly<Record<string, readonly [least: number, most: number]>> = {
  avg: [0, MANY],
  cleanHtml: [0, MANY],
  concat: [0, MANY],
  count: [0, MANY],
  css: [1, MANY],
  datatype: [0, 1],
  distinct: [0, MANY],
  earliest: [1, 1],
  first: [0, MANY],
  firstOne: [0, MANY],
  flatten: [0, 1],
  get: [1, 2],
  htmlText: [0, MANY],
  iri: [0, 1],
  jsonpath: [1, MANY],
  lang: [0, 1],
  last: [0, MANY],
  lastOne: [0, MANY],
  latest: [1, 1],
  local: [0, 1],
  lower: [1, 1],
  max: [0, MANY],
  members: [0, 1],
  min: [0, MANY],
  predicates: [0, 1],
  removeTags: [0, MANY],
  replace: [3, 3],
  reverse: [1, 1],
  round: [1, 1],
  slice: [2, 3],
  sort: [1, MANY],
  split: [2, 2],
  str: [0, 1],
  strJoin: [2, 4],
  strLeft: [2, 2],
  strRight: [2, 2],
  strlen: [1, 1],
  subList: [1, 3],
  substr: [2, 3],
  sum: [0, MANY],
  trim: [1, 1],
  types: [0, 1],
  upper: [1, 1],
  wc: [1, 1],
  xmlText: [0, MANY],
  xmlUnescape: [0, MANY],
  xpath: [1, MANY],
};

const testsOfOne = ['empty', 'exists', 'isBlank', 'isEmpty', 'isIri', 'isLiteral'];
const comparisons = ['Eq', 'Ge', 'Gt', 'Le', 'Lt', 'Ne'];
const stringTests = ['Contains', 'EndsWith', 'Equals', 'EqualsIgnoreCase', 'StartsWith'];
const testsOfTwo = [
  'matches',
  ...[...comparisons, ...stringTests].flatMap((name) => [
    `any${name}`,
    name[0]!.toLowerCase() + name.slice(1),
  ]),
];

describe('the number of arguments', () => {
  for (const [name, [least, most]] of Object.entries(selectors)) {
    it(`of fn:${name} must be from ${least} to ${most}`, () => check(name, least, most, (call) => call));
  }

  for (const [names, count] of [
    [testsOfOne, 1],
    [testsOfTwo, 2],
  ] as const) {
    for (const name of names) {
      it(`of fn:${name} must be ${count}`, () => check(name, count, count, (call) => `.[${call}]`));
    }
  }

  it('is tested for every function', () => {
    const tested = [...Object.keys(selectors), ...testsOfOne, ...testsOfTwo];
    assert.deepEqual(tested.sort(), allFunctions.map(({ name }) => name).sort());
  });
});

/**
 * Checks which calls with 0 to 6 arguments compile, and that errors for the others name the
 * expected number.
 */
function check(name: string, least: number, most: number, path: (call: string) => string): void {
  const range = least === most ? `${least}` : most === MANY ? `at least ${least}` : `${least} to ${most}`;
  for (let count = 0; count <= 6; count++) {
    const compile = () =>
      compilePath(path(`fn:${name}(${Array(count).fill('.').join(', ')})`), { prefixes: {} });
    if (count >= least && count <= most) compile();
    else {
      const { code, message } = errorOf(compile);
      assert.equal(code, 'bad-arguments');
      assert.ok(
        message.includes(`fn:${name} takes ${range} argument${range === '1' ? '' : 's'}, not ${count}`),
      );
    }
  }
}
