import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseFront } from '../../../src/http/fronts/choose-front.ts';
import type { Front } from '../../../src/http/fronts/front.ts';

const missing = () => Promise.reject(new Error('There is no binary\nfor this system.'));
const uws = { name: 'uws' } as Front;

describe('the front', () => {
  it('is uWebSockets.js where it can be loaded', async () => {
    for (const wanted of [undefined, 'uws'] as const) {
      assert.deepEqual(await chooseFront(wanted, () => Promise.resolve(uws)), { front: uws });
    }
  });

  it('is node:http where uWebSockets.js cannot be loaded, with the reason', async () => {
    const { front, fallback } = await chooseFront(undefined, missing);
    assert.equal(front.name, 'node');
    assert.equal(fallback, 'There is no binary.');
  });

  it('is node:http if that was asked for, without a reason', async () => {
    const { front, fallback } = await chooseFront('node', () => assert.fail('It is not loaded.'));
    assert.equal(front.name, 'node');
    assert.equal(fallback, undefined);
  });

  it('cannot be uWebSockets.js where that cannot be loaded', async () => {
    await assert.rejects(chooseFront('uws', missing), {
      message: /^--front uws: .* on Node\.js v\d.*: There is no binary\. Use --front node/,
    });
  });
});
