import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf } from '../../../src/http/routes/ldpath/batch-lines.ts';
import type { Pool } from '../../../src/pool/pool.ts';
import { TextStarts } from '../../../src/services/ldpath/text-starts.ts';
import { planMerge } from '../../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';
import { storedBlockOf } from '../../support/blocks.ts';
import { realPool, snapshotOf } from './real-pool.ts';

const people = snapshotOf(`
  @prefix ex: <http://example.org/> .
  ex:anna ex:name "Anna"@de ; ex:age 7 ; ex:knows ex:ben .
  ex:ben ex:name "Ben \\"B\\"" .
  <http://example.org/ü> ex:name "U" .
`);

async function lines(
  pool: Pool,
  mode: 'path' | 'program',
  source: string,
  starts: string[],
  lenient = false,
) {
  const result = pool.batch({
    selection: { mode, source },
    starts: new TextStarts(starts),
    lenient,
    known: isRegistered,
    ordered: true,
  });
  assert.ok(result.ok);
  const found: unknown[] = [];
  for await (const part of result.value) {
    for (const line of Buffer.from(linesOf(part)).toString().split('\n').filter(Boolean)) {
      const { uri, error, ...rest } = JSON.parse(line);
      found.push(error ? [uri, error.code] : { uri, ...rest });
    }
  }
  return found;
}

const isRegistered = (start: string) => start.startsWith('urn:registered');

const ex = (name: string) => `http://example.org/${name}`;

test('a path returns arrays, with the start resource as the client wrote it', async (t) => {
  assert.deepEqual(await lines(realPool(t, people), 'path', 'ex:name', [ex('ben'), ex('ü'), ex('anna')]), [
    { uri: ex('ben'), result: [{ type: 'literal', value: 'Ben "B"' }] },
    { uri: ex('ü'), result: [{ type: 'literal', value: 'U' }] },
    { uri: ex('anna'), result: [{ type: 'literal', value: 'Anna', lang: 'de' }] },
  ]);
});

test('a program returns the results of @filter and @boost, and hides nothing', async (t) => {
  const source = '@filter ex:age ; @boost ex:age ; n = ex:none ;';
  assert.deepEqual(await lines(realPool(t, people), 'program', source, [ex('anna'), ex('ben')]), [
    { uri: ex('anna'), result: { n: [] }, filter: true, boost: 7 },
    { uri: ex('ben'), result: { n: [] }, filter: false, boost: 1 },
  ]);
});

test('missing start resources are errors, unless they count as existing', async (t) => {
  const pool = realPool(t, people);
  const starts = [ex('nobody'), '_:none', 'no iri', ex('a"b'), 'http://example.org/><b'];
  assert.deepEqual(await lines(pool, 'path', '.', starts), [
    [ex('nobody'), 'resource-not-found'],
    ['_:none', 'resource-not-found'],
    ['no iri', 'bad-iri'],
    [ex('a"b'), 'bad-iri'],
    ['http://example.org/><b', 'bad-iri'],
  ]);
  assert.deepEqual(await lines(pool, 'path', 'ex:name', [ex('nobody'), 'no iri'], true), [
    { uri: ex('nobody'), result: [] },
    ['no iri', 'bad-iri'],
  ]);
});

test('G-17: a batch finds start resources with IRIs of earlier versions', async (t) => {
  const writer = new SnapshotWriter();
  const block = storedBlockOf('<urn:[a]> <http://example.org/name> "A" .');
  writer.apply(planMerge(writer, 'urn:graph', block, 'b'));
  assert.deepEqual(await lines(realPool(t, writer.publish(1)), 'path', 'ex:name', ['urn:[a]', 'urn:[b]']), [
    { uri: 'urn:[a]', result: [{ type: 'literal', value: 'A' }] },
    ['urn:[b]', 'bad-iri'],
  ]);
});

test('start resources that exist without a triple are evaluated in order', async (t) => {
  const starts = [
    'urn:registered:a',
    ex('ben'),
    'urn:registered:b',
    'urn:none',
    ex('anna'),
    'urn:registered:c',
  ];
  assert.deepEqual(await lines(realPool(t, people), 'path', 'ex:age', starts), [
    { uri: 'urn:registered:a', result: [] },
    { uri: ex('ben'), result: [] },
    { uri: 'urn:registered:b', result: [] },
    ['urn:none', 'resource-not-found'],
    {
      uri: ex('anna'),
      result: [{ type: 'literal', value: '7', datatype: 'http://www.w3.org/2001/XMLSchema#integer' }],
    },
    { uri: 'urn:registered:c', result: [] },
  ]);
});

test('an endless evaluation gets an error, and the other start resources get results', async (t) => {
  const cycle = snapshotOf(`@prefix ex: <http://example.org/> .
    ${Array.from({ length: 3000 }, (_, i) => `ex:n${i} ex:to ex:n${(i + 1) % 3000}, ex:n${(i * 7) % 3000} .`).join('\n')}
    ex:end ex:nothing ex:nothing .`);
  const pool = realPool(t, cycle, { evaluationMs: 150, graceMs: 60_000 });
  const endless = '(ex:to)+[(ex:to)+[(ex:to)+[ex:nothing]]] | ex:nothing';
  const [first, second, third] = await lines(pool, 'path', endless, [ex('end'), ex('n1'), ex('end')]);
  assert.deepEqual(first, { uri: ex('end'), result: [{ type: 'uri', value: ex('nothing') }] });
  assert.deepEqual(second, [ex('n1'), 'time-limit']);
  assert.deepEqual(third, first);
});

test('a result above its budget is an error, regardless of earlier results', async (t) => {
  const wide = snapshotOf(`@prefix ex: <http://example.org/> .
    ex:wide ex:p ${Array.from({ length: 100 }, (_, i) => `"${'x'.repeat(40)}${i}"`).join(', ')} .
    ex:half ex:p ${Array.from({ length: 60 }, (_, i) => `"${'y'.repeat(40)}${i}"`).join(', ')} .`);
  const pool = realPool(t, wide, { resultBytes: 6000 });
  const starts = ['half', 'half', 'wide', 'half'].map(ex);
  const found = await lines(pool, 'path', 'ex:p', starts);
  assert.deepEqual(
    found.map((line) => (Array.isArray(line) ? line[1] : (line as { result: unknown[] }).result.length)),
    [60, 60, 'budget-exceeded', 60],
  );
});

test('steps and terms have budgets', async (t) => {
  const pool = realPool(t, people, { evaluationSteps: 3, evaluationTerms: 1_000_000 });
  assert.deepEqual(await lines(pool, 'path', 'ex:knows/ex:name/ex:name | ex:name | ex:age', [ex('anna')]), [
    [ex('anna'), 'budget-exceeded'],
  ]);
});
