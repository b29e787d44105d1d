import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitBatch } from '../../../../src/http/routes/ldpath/batch-json.ts';
import { parseBatch } from '../../../../src/http/routes/ldpath/batch-request.ts';
import { SetCursors } from '../../../../src/http/routes/ldpath/sets/cursor.ts';
import type { StartList } from '../../../../src/pool/batch/start-list.ts';
import { startText } from '../../../../src/pool/batch/start-pack.ts';
import { fakePrograms, people } from './fake-programs.ts';

const MOST = 6;
const bytes = (text: string) => new TextEncoder().encode(text);

/** What is read of a body; starts as texts. */
function read(body: Uint8Array): unknown {
  const batch = parseBatch(body, { maxStarts: MOST, cursors: new SetCursors('run'), programs: fakePrograms });
  if (!batch.ok) return batch.error.code;
  const { format: _format, separator: _separator, ...value } = batch.value;
  return { ...value, starts: [...(value.starts as StartList)] };
}

const text = fc.oneof(
  fc.webUrl(),
  fc.constantFrom(
    'urn:a',
    '_:b',
    '',
    '"',
    '\\',
    'a\nb',
    '"uris"',
    '"uris":["urn:x"]',
    ']',
    'ü',
    '\ud800',
    'uris',
  ),
);
const uris = fc.oneof(
  { weight: 5, arbitrary: fc.array(text, { maxLength: MOST + 1 }) },
  fc.constantFrom(null, 1, 'urn:a', ['urn:a', 1], [['urn:a']], {}),
);
const member = fc.oneof(
  fc.tuple(fc.constant('uris'), uris),
  fc.tuple(fc.constantFrom('path', 'program', 'x', 'other'), text),
  fc.tuple(fc.constant('ordered'), fc.boolean()),
  fc.tuple(fc.constant('namespaces'), fc.dictionary(fc.constantFrom('a', 'uris'), fc.oneof(text, uris))),
);
/** A JSON object as it is written, names repeated and all. */
const document = fc
  .tuple(fc.array(member, { maxLength: 4 }), uris, fc.constantFrom(0, 1, '\n'), fc.nat(5))
  .map(([members, list, indent, place]) => {
    const all = [['path', '.'], ...members.toSpliced(place, 0, ['uris', list])] as [string, unknown][];
    const rows = all.map(
      ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value, null, indent)}`,
    );
    return rows.map((row, i) => (i % 2 === 0 ? row : row.replace(': ', ':')));
  });

test('a batch is read like any JSON, whether its start resources are extracted first or not', () => {
  let split = 0;
  fc.assert(
    fc.property(document, (rows) => {
      const body = bytes(`{${rows.join(',')}}`);
      // The escape in a name makes the whole body go to the reader of JSON.
      const whole = bytes(`{${[...rows, '"\\u0061":1'].join(',')}}`);
      assert.equal(splitBatch(whole), null);
      if (splitBatch(body)) split++;
      assert.deepEqual(read(body), read(whole));
    }),
    { numRuns: 2_000 },
  );
  assert.ok(split > 0);
});

test('extracted start resources are encoded like others', () => {
  const starts = ['urn:a', '_:b', 'http://example.org/c d', '', '_:', 'urn:e'];
  for (const indent of [0, 2]) {
    const split = splitBatch(bytes(JSON.stringify({ path: '.', uris: starts }, null, indent)))!;
    const pack = split.starts.pack(1, 5);
    assert.deepEqual(
      [0, 1, 2, 3].map((i) => startText(pack, i)),
      starts.slice(1, 5),
    );
    const forms = [0, 1].map((i) =>
      Buffer.from(pack.bytes.subarray(pack.bounds[2 * i], pack.bounds[2 * i + 1])),
    );
    assert.deepEqual(forms.map(String), ['_:b', '<http://example.org/c d>']);
    assert.equal(split.starts.text(5), 'urn:e');
  }
});

for (const [what, body] of [
  ['an open string', '{"path":".","uris":["urn:a'],
  ['a line in a string', '{"path":".","uris":["urn:\na"]}'],
  ['no comma', '{"path":".","uris":["urn:a" "urn:b"]}'],
  ['a comma too many', '{"path":".","uris":["urn:a",]}'],
  ['an end too many', '{"path":".","uris":["urn:a"]}}'],
  ['no end', '{"path":".","uris":["urn:a"]'],
] as const) {
  test(`start resources with ${what} are malformed JSON`, () => {
    assert.equal(read(bytes(body)), 'parse-error');
  });
}

test('a body with an invalid UTF-8 sequence at any place is rejected', () => {
  for (const part of ['{"path":"\xff","uris":["urn:a"]}', '{"path":".","uris":["urn:\xff"]}']) {
    assert.equal(read(Buffer.from(part, 'latin1')), 'parse-error');
  }
});

test('P-43: a batch may name a stored program, instead of sending a program or path', () => {
  const ask = (members: object) => read(bytes(JSON.stringify({ ...members, uris: ['urn:a'] })));
  const batch = ask({ name: 'people' }) as { selection: object };
  assert.deepEqual(batch.selection, people);
  assert.equal(ask({ name: 'places' }), 'program-not-found');
  assert.equal(ask({ name: 'people', path: '.' }), 'bad-arguments');
  assert.equal(ask({ name: 'people', program: 'a = . ;' }), 'bad-arguments');
  assert.equal(ask({ name: 1 }), 'bad-arguments');
  assert.equal(ask({ name: 'people', namespaces: { ex: 'urn:ex:' } }), 'bad-arguments');
  assert.equal(ask({}), 'missing-parameter');
});
