import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { ownThread } from '../../src/base/thread-priority.ts';
import type { QuadBlock } from '../../src/rdf/model/quad-block.ts';
import type { Operation } from '../../src/store/main/transaction.ts';
import { isBig, StorePriority } from '../../src/store/priority.ts';

const thread = ownThread();
const skip = thread === undefined;

function block(quads: number): QuadBlock {
  return { quads: new Uint32Array(4 * quads) } as QuadBlock;
}

test('a thread runs at low priority for big transactions, except while a small one waits', {
  skip,
}, () => {
  const usual = getPriority(thread!.id);
  const priority = new StorePriority(thread);
  const isBack = () => getPriority(thread!.id) > usual;
  priority.begin(true);
  assert.equal(isBack(), true);
  priority.begin(false);
  assert.equal(isBack(), false);
  priority.begin(true);
  priority.end(false);
  assert.equal(isBack(), true);
  priority.end(true);
  assert.equal(isBack(), true);
  priority.end(true);
  assert.equal(getPriority(thread!.id), usual);
});

test('a thread does not run at low priority while other processes use the machine', { skip }, () => {
  const usual = getPriority(thread!.id);
  const priority = new StorePriority(thread);
  priority.allowLow(false);
  priority.begin(true);
  assert.equal(getPriority(thread!.id), usual);
  priority.end(true);
});

test('small transactions alone change nothing', { skip }, () => {
  const usual = getPriority(thread!.id);
  const priority = new StorePriority(thread);
  priority.begin(false);
  assert.equal(getPriority(thread!.id), usual);
  priority.end(false);
  assert.equal(getPriority(thread!.id), usual);
});

test('additions, removals and replacements count in the size of a transaction', () => {
  const few = block(10);
  const many = block(100_000);
  const graph = 'urn:x:g';
  const big = (size: number, ...operations: Operation[]) =>
    isBig({ preconditions: [], operations }, () => size);
  assert.equal(big(1e6, { kind: 'merge', graph, block: few }), false);
  assert.equal(big(0, { kind: 'merge', graph, block: many }), true);
  assert.equal(big(0, { kind: 'replace', graph, block: few }), false);
  assert.equal(big(1e6, { kind: 'replace', graph, block: few }), true);
  assert.equal(big(10, { kind: 'drop', graph, keep: false }), false);
  assert.equal(big(1e6, { kind: 'drop', graph, keep: false }), true);
  assert.equal(big(0, { kind: 'edit', graph, additions: few, removals: many }), true);
  assert.equal(big(0, ...Array<Operation>(5_000).fill({ kind: 'merge', graph, block: few })), true);
});
