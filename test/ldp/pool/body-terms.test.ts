import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyTerms } from '../../../src/ldp/pool/body-terms.ts';
import { NO_TERM } from '../../../src/rdf/model/term-id.ts';
import { termIndex } from '../../../src/store/graphs/block-terms.ts';
import { blockOf } from '../../support/blocks.ts';
import { merge } from '../../support/stores.ts';
import { Space } from './space.ts';

test('a triple term is a new one only if it contains a blank node, not for what its strings contain', async () => {
  const space = await Space.open();
  const known = '<<( <urn:a> <urn:b> "x _:y" )>>';
  const blank = '<<( <urn:a> <urn:b> _:y )>>';
  const text = `<urn:s> <urn:p> ${known} .\n<urn:s> <urn:p> ${blank} .`;
  await space.commit(merge('urn:g', text));
  const { reader } = space;
  const block = blockOf(text);
  const terms = new BodyTerms(reader, block);
  assert.notEqual(reader.find(known), NO_TERM);
  assert.equal(terms.id(termIndex(block, known)), reader.find(known));
  const objects = [block.quads[2]!, block.quads[6]!];
  assert.deepEqual(
    objects.map((index) => terms.id(index) === NO_TERM),
    [false, true],
  );
});
