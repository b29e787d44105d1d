import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseError } from '../documents.ts';

const good = '[{"type":"uri","value":"urn:o"}]';

test('an error names its own path of keys, and no keys of earlier values', () => {
  for (const [text, place] of [
    ['5', undefined],
    ['{"urn:s":5}', ['urn:s']],
    ['{"urn:s":{"urn:p":5}}', ['urn:s', 'urn:p']],
    ['{"urn:s":{"urn:p":[5]}}', ['urn:s', 'urn:p', 0]],
    [`{"urn:s":{"urn:p":${good},"urn:q":5}}`, ['urn:s', 'urn:q']],
    [`{"urn:s":{"urn:p":${good}},"urn:t":5}`, ['urn:t']],
    [`{"urn:s":{"urn:p":${good}},"urn:t":{"urn:q":5}}`, ['urn:t', 'urn:q']],
    [`{"urn:s":{"urn:p":[${good.slice(1, -1)},5]}}`, ['urn:s', 'urn:p', 1]],
  ] as const) {
    const { message, details } = parseError(text, 'application/rdf+json');
    assert.equal(message.includes(', at '), place !== undefined, message);
    if (place) assert.ok(message.includes(`, at ${JSON.stringify(place)}`), message);
    const last = place?.at(-1);
    const found = typeof last === 'string' ? text.indexOf(JSON.stringify(last)) : text.indexOf('5');
    assert.deepEqual([details?.line, details?.column], [1, found + 1], text);
  }
});
