import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytesOf, eventJson } from '../../../../src/http/routes/changes/event-json.ts';

const positionOf = (commit: number) => `abcdefgh.${commit}`;
const rows = { json: Buffer.from('"A <urn:s> <urn:p> <urn:o> <urn:g> .\\n"'), part: 1 };

function read(isLast: boolean): Record<string, unknown> {
  const event = { commit: 7, time: 0, rows: { ...rows, isLast }, ...(isLast && { graphs: [] }) };
  return JSON.parse(Buffer.from(bytesOf(eventJson(event, positionOf, undefined)!)).toString());
}

describe('a commit in several parts', () => {
  it('is told again to a client that goes on after any part but the last (http-api 7.1)', () => {
    const { position, commit, part, more } = read(false);
    assert.deepEqual([position, commit, part, more], ['abcdefgh.6', 7, 1, true]);
    assert.equal(read(true)['position'], 'abcdefgh.7');
  });
});
