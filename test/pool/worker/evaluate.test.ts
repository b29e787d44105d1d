import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Result } from '../../../src/errors.ts';
import type { Evaluation } from '../../../src/pool/evaluation-request.ts';
import { TextStarts } from '../../../src/services/ldpath/text-starts.ts';
import { fakeCaller } from '../../support/callers.ts';
import { realPool, snapshotOf } from './real-pool.ts';

const people = snapshotOf(`
  @prefix ex: <http://example.org/> .
  ex:anna ex:knows ex:ben, _:c ; ex:name "Anna"@de .
  ex:ben ex:name "Ben" ; ex:knows ex:anna .
  _:c ex:name "Cleo" .
`);

function path(source: string, start = 'http://example.org/anna', known = false): Evaluation {
  return { mode: 'path', source, start, known };
}

function json(result: Result<Uint8Array>): unknown {
  assert.ok(result.ok, JSON.stringify(result));
  return JSON.parse(new TextDecoder().decode(result.value));
}

function code(result: Result<unknown>): string | undefined {
  return result.ok ? undefined : result.error.code;
}

test('a path is evaluated on the snapshot', async (t) => {
  const pool = realPool(t, people);
  const values = json(await pool.evaluate(path('ex:knows / ex:name'))) as { value: string }[];
  assert.deepEqual(values.map(({ value }) => value).sort(), ['Ben', 'Cleo']);
  assert.deepEqual(json(await pool.evaluate(path('ex:name'))), [
    { type: 'literal', value: 'Anna', lang: 'de' },
  ]);
});

test('a program is evaluated with its own prefixes', async (t) => {
  const pool = realPool(t, people);
  const program = {
    mode: 'program',
    source: 'name = e:name ; knows = ex:knows / e:name ;',
    start: 'http://example.org/ben',
    known: false,
    namespaces: { e: 'http://example.org/' },
  } as const;
  assert.deepEqual(json(await pool.evaluate(program)), {
    name: [{ type: 'literal', value: 'Ben' }],
    knows: [{ type: 'literal', value: 'Anna', lang: 'de' }],
  });
  const { namespaces: _, ...without } = program;
  assert.equal(code(await pool.evaluate(without)), 'unknown-prefix');
});

test('a blank node is a start resource by its label', async (t) => {
  const pool = realPool(t, people);
  const [blank] = json(await pool.evaluate(path('ex:knows[!(ex:knows)]'))) as {
    type: string;
    value: string;
  }[];
  assert.equal(blank!.type, 'bnode');
  assert.deepEqual(json(await pool.evaluate(path('ex:name', `_:${blank!.value}`))), [
    { type: 'literal', value: 'Cleo' },
  ]);
});

test('a missing start resource is an error that names it, unless it is known from elsewhere', async (t) => {
  const pool = realPool(t, people);
  const nobody = 'http://example.org/nobody';
  const result = await pool.evaluate(path('ex:name', nobody));
  assert.equal(code(result), 'resource-not-found');
  assert.equal(!result.ok && result.error.details.uri, nobody);
  assert.deepEqual(json(await pool.evaluate(path('ex:name', nobody, true))), []);
});

test('a path that does not compile is rejected with a position', async (t) => {
  const pool = realPool(t, people);
  const result = await pool.evaluate(path('ex:knows /'));
  assert.ok(!result.ok);
  assert.equal(result.error.code, 'parse-error');
  assert.equal(result.error.details.line, 1);
  assert.equal(result.error.details.source, 'path');
});

/** Finds every node of a dense cycle from every other node, which exceeds any budget. */
const endless = '(ex:to)+[(ex:to)+[(ex:to)+[ex:nothing]]]';
const cycle = snapshotOf(`@prefix ex: <http://example.org/> .
  ${Array.from({ length: 3000 }, (_, i) => `ex:n${i} ex:to ex:n${(i + 1) % 3000}, ex:n${(i * 7) % 3000} .`).join('\n')}
`);

test('an endless evaluation stops at its budget, and its thread stays in use', async (t) => {
  const pool = realPool(t, cycle, { evaluationMs: 100, graceMs: 60_000 });
  const result = await pool.evaluate(path(endless, 'http://example.org/n1'));
  assert.ok(['time-limit', 'budget-exceeded'].includes(code(result)!), code(result));
  assert.deepEqual(json(await pool.evaluate(path('ex:nothing', 'http://example.org/n1'))), []);
});

test('an evaluation stops when its client disconnects', async (t) => {
  const pool = realPool(t, cycle, { graceMs: 60_000 });
  const shareOrCopy: (() => void)[] = [];
  const results = [1, 2].map(() =>
    pool.evaluate(
      path(endless, 'http://example.org/n1'),
      fakeCaller((listener) => shareOrCopy.push(listener)),
    ),
  );
  while (pool.tasks(false).length < 1) await new Promise((resolve) => setImmediate(resolve));
  for (const leave of shareOrCopy) leave();
  assert.deepEqual((await Promise.all(results)).map(code), ['cancelled', 'cancelled']);
  assert.deepEqual(json(await pool.evaluate(path('ex:nothing', 'http://example.org/n1'))), []);
});

test('an evaluation that is interrupted inside a function never returns a partial result', async (t) => {
  const page = `<ul>${'<li><b>x</b></li>'.repeat(8_000)}</ul>`;
  const graph = snapshotOf(`@prefix ex: <http://example.org/> .
    ex:a ex:page ${Array.from({ length: 4 }, (_, i) => `"${i}${page}"`).join(', ')} .`);
  const pool = realPool(t, graph, { evaluationMs: 60_000, graceMs: 60_000 });
  const source = 'fn:count(fn:css("ul > li b", ex:page))';
  const selection = { mode: 'path', source } as const;
  const batch = pool.batch({
    selection,
    starts: new TextStarts(['http://example.org/a']),
    lenient: false,
    known: () => false,
    ordered: true,
  });
  assert.ok(batch.ok);
  let text = '';
  for await (const { bytes } of batch.value) text += Buffer.from(bytes).toString();
  assert.deepEqual(JSON.parse(text).result, json(await pool.evaluate(path(source, 'http://example.org/a'))));
});
