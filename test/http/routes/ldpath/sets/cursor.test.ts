import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SetCursors } from '../../../../../src/http/routes/ldpath/sets/cursor.ts';
import { CursorSeal, sealKey } from '../../../../../src/http/routes/ldpath/sets/cursor-seal.ts';

const key = sealKey();
const cursor = { after: { generation: 3, id: 4711 }, commit: 'abcdefgh.42' };
const forSome = (graphs: string, run = 'run') => new SetCursors(run, new CursorSeal(key, graphs));
const forAll = new SetCursors('run');
const codeOf = (cursors: SetCursors, text: unknown) => {
  const read = cursors.read(text);
  return read.ok ? 'ok' : read.error.code;
};

describe('cursors of sets', () => {
  it('are read by clients that see the same graphs, and by no others (P-28)', () => {
    const texts = [forAll, forSome('a'), forSome('b')].map((each) => each.text(cursor));
    for (const [i, cursors] of [forAll, forSome('a'), forSome('b')].entries()) {
      for (const [j, text] of texts.entries()) {
        if (i === j) assert.deepEqual(cursors.read(text), { ok: true, value: cursor });
        else assert.equal(codeOf(cursors, text), 'bad-arguments');
      }
    }
  });

  it('do not tell a client that does not see all graphs how many terms there are (G-161)', () => {
    const text = Buffer.from(forSome('a').text(cursor), 'base64url').toString();
    assert.ok(!text.includes('4711'));
  });

  it('of another process are gone, and what is no cursor is refused', () => {
    assert.equal(codeOf(new SetCursors('other'), forAll.text(cursor)), 'position-gone');
    assert.equal(codeOf(forSome('a', 'other'), forSome('a').text(cursor)), 'position-gone');
    const text = forSome('a').text(cursor);
    const changed = Buffer.from(text, 'base64url')
      .toString()
      .replace(/.{3}"\]$/, 'AAA"]');
    for (const bad of ['', 'x', 7, null, Buffer.from(changed).toString('base64url'), 'WyJydW4iLCJBQSJd']) {
      assert.equal(codeOf(forSome('a'), bad), 'bad-arguments');
    }
  });
});
