import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  FOREIGN,
  fieldsOf,
  groupBytes,
  type HeaderFields,
  PART_BYTES,
  type Part,
  partsOf,
  payloadsOf,
  readNextPart,
  readPart,
} from '../../../src/cluster/nats/parts.ts';

const payload = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.integer({ min: 0, max: 1500 }).map((length) => new Uint8Array(length).fill(length)),
  fc
    .integer({ min: -3, max: 3 })
    .map((difference) => new Uint8Array(PART_BYTES - 4 + difference).fill(difference)),
);
const payloads = fc.array(fc.array(payload, { maxLength: 3 }), { minLength: 1, maxLength: 5 });
const printable = fc.stringMatching(/^[!-~]{0,40}$/);

function group(written: readonly (readonly Uint8Array[])[], state: string, previous: string): Part[] {
  const records = written.map((pieces, index) => ({ sequence: index + 7, payload: pieces }));
  const head = { first: 7, last: 6 + records.length, id: 'an-id', state };
  return partsOf(head, groupBytes(records), previous);
}

function headersOf(part: Part): Map<string, string> {
  return new Map(fieldsOf(part));
}

function reading(fields: ReadonlyMap<string, string>): HeaderFields {
  return { get: (name) => fields.get(name) ?? '' };
}

describe('the parts of a group', () => {
  it('are refused with what to do if they name a newer format', () => {
    const [part] = group([[Buffer.from('payload')]], '', '');
    const fields = headersOf(part!).set('Pathpool-Format', '2');
    const read = readNextPart(reading(fields), part!.body, '');
    assert.match(String(read), /newer format: a newer release of Pathpool has written it\. Use that release/);
    assert.equal(readNextPart(reading(new Map([['Pathpool-Format', '2']])), part!.body, ''), read);
    assert.equal(typeof readPart(reading(fields.set('Pathpool-Format', '1')), part!.body), 'object');
  });

  it('have the payloads again, in parts of limited size, each of which follows the one before', () => {
    fc.assert(
      fc.property(payloads, printable, printable, (written, state, before) => {
        const parts = group(written, state, before);
        let previous = before;
        for (const part of parts) {
          assert.ok(part.body.length <= PART_BYTES);
          const read = readNextPart(reading(headersOf(part)), part.body, previous);
          assert.ok(typeof read === 'object', String(read));
          assert.deepEqual(read, { ...part, head: { ...part.head, object: undefined } });
          previous = read.hash;
        }
        assert.deepEqual(
          payloadsOf(
            parts.map(({ body }) => body),
            written.length,
          )?.map((bytes) => Buffer.from(bytes)),
          written.map((pieces) => Buffer.concat(pieces)),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('are rejected with any flipped bit, of the bytes or the headers', () => {
    const chosen = { place: fc.nat(), bit: fc.nat({ max: 6 }) };
    fc.assert(
      fc.property(payloads, printable, fc.record(chosen), (written, state, { place, bit }) => {
        const part = group(written, state, 'before')[0]!;
        const fields = headersOf(part);
        const body = Buffer.from(part.body);
        if (body.length > 0) {
          body[place % body.length]! ^= 1 << bit;
          assert.equal(readPart(reading(fields), body), 'changed');
        }
        const [name, value] = [...fields][place % fields.size]!;
        if (value === '') return;
        fields.set(name, flipped(value, place, bit));
        assert.equal(typeof readNextPart(reading(fields), part.body, 'before'), 'string');
      }),
      { numRuns: 200 },
    );
  });

  it('are rejected behind another part, and without headers', () => {
    const [part] = group([[Buffer.from('one')]], '', 'before');
    assert.equal(readNextPart(reading(headersOf(part!)), part!.body, 'another'), 'not the next part');
    assert.equal(readPart(reading(new Map()), part!.body), FOREIGN);
    const fields = new Map([['Pathpool-Id', 'an-id']]);
    assert.equal(readPart(reading(fields), part!.body), 'no part of a log of Pathpool');
  });

  it('name the object that has the bytes, which the hash covers', () => {
    const object = { name: 'log/9/with a space', digest: 'abc' };
    const [part] = partsOf({ first: 1, last: 9, id: 'an-id', state: '', object }, [], '');
    const fields = headersOf(part!);
    assert.deepEqual(readPart(reading(fields), part!.body), part);
    fields.set('Pathpool-Object', 'abd log/9/with a space');
    assert.equal(readPart(reading(fields), part!.body), 'changed');
  });
});

describe('the bytes of a group', () => {
  it('are rejected if they are not those of the records', () => {
    const bytes = groupBytes([{ sequence: 1, payload: [Buffer.from('one')] }]);
    assert.equal(payloadsOf(bytes, 2), undefined);
    assert.equal(payloadsOf([...bytes, Buffer.from('more')], 1), undefined);
    assert.equal(payloadsOf([Buffer.concat(bytes).subarray(0, 5)], 1), undefined);
  });
});

/** A value with one bit of one character changed. */
function flipped(value: string, place: number, bit: number): string {
  const bytes = Buffer.from(value, 'latin1');
  bytes[place % bytes.length]! ^= 1 << bit;
  return bytes.toString('latin1');
}
