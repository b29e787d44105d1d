import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Spread } from '../../../bench/measure/statistics.ts';
import { type Figure, reached, withoutGoal } from '../../../bench/report/figure.ts';
import { fromJsonLines, type Result, toJsonLine } from '../../../bench/report/json-lines.ts';
import { markdownTable } from '../../../bench/report/markdown.ts';
import { writePages } from '../../../bench/report/write-results.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const figure: Figure = {
  id: 'path',
  name: 'GET a|b',
  unit: 'requests/s',
  better: 'more',
  values: [50, 60, 40, 55, 45],
  reference: { name: 'hello', values: [100, 100, 100, 100, 100] },
  goal: { of: 'ratio', bound: 0.6 },
};
const machine = { commit: 'c', node: 'v20', system: 'linux x64', cores: 2, processor: 'p', memoryGiB: 8 };
const result: Result = { ...figure, suite: 'path', date: '2026-01-01', machine, parameters: { rounds: 3 } };

test('each result is one line of JSON, with the machine, median, quartiles and ratio', () => {
  const lines = toJsonLine(result) + toJsonLine({ ...result, name: 'two\nlines' });
  assert.equal(lines.split('\n').length, 3);
  const [first, second] = fromJsonLines(lines);
  assert.equal(second?.name, 'two\nlines');
  const { machine, median, ratio } = first as Result & { median: number; ratio: Spread };
  assert.deepEqual([machine.commit, machine.node, median], ['c', 'v20', 50]);
  const rounded = Object.entries(ratio).map(([name, value]) => [name, value.toFixed(9)]);
  assert.deepEqual(Object.fromEntries(rounded), {
    median: '0.500000000',
    low: '0.450000000',
    high: '0.550000000',
  });
});

test('goals: at least where more is better, at most where less is', () => {
  assert.equal(reached(figure), false);
  assert.equal(reached({ ...figure, goal: { of: 'ratio', bound: 0.5 } }), true);
  assert.equal(reached({ ...figure, better: 'less' }), true);
  assert.equal(reached({ ...figure, better: 'less', goal: { of: 'value', bound: 49 } }), false);
});

test('the table lists missed targets and skipped benchmarks', () => {
  const table = markdownTable([figure], [{ id: 'ldp', reason: 'not there' }]);
  assert.match(table, /GET a\\\|b .*50\.0 requests\/s .* 0\.500 .*0\.600 or more: \*\*missed\*\*/);
  assert.match(table, /ldp was left out: not there/);
});

test('the page says that a goal is missed without the marks of Markdown', async (context) => {
  const directory = await temporaryDirectory(context);
  const run = { date: '2026-01-01', machine, parameters: {}, results: [result], skipped: [], plots: [] };
  const [table, page] = await writePages(directory, run);
  assert.match(readFileSync(table!, 'utf8'), /0\.600 or more: \*\*missed\*\*/);
  const html = readFileSync(page!, 'utf8');
  assert.match(html, /0\.600 or more: missed/);
  assert.ok(!html.includes('*'));
});

test('a figure without its goal says nothing of it, in tables and for machines', () => {
  const plain = withoutGoal(result);
  assert.doesNotMatch(markdownTable([plain]), /missed|or more/);
  const [line] = fromJsonLines(toJsonLine(plain));
  assert.ok(line && !('goal' in line) && !('reached' in line));
});
