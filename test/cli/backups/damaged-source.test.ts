import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { contentPath } from '../../../src/store/content/referenced-content.ts';
import { BackedUpStore } from '../../support/backed-up-store.ts';

describe('a backup of a damaged data directory', () => {
  it('leaves out content that is missing, says so, and has everything else', async (context) => {
    const history = await BackedUpStore.open(context);
    await history.put('urn:x:a', 'one');
    await history.put('urn:x:b', 'two');
    await history.put('urn:x:c', 'three');
    const [missing = '', other = ''] = history.states.get(3)!.contents;
    for (const digest of [missing, other]) await rm(join(history.directory, contentPath(digest)));
    await history.backUp();
    const notices = history.notices.join('\n');
    for (const digest of [missing, other]) {
      assert.match(notices, new RegExp(`${digest} is missing. It is not in this backup`));
    }
    assert.doesNotMatch(notices, /stored and removed again/);
    await history.verify({ kind: 'commit', commit: 3 }, 3);
    await history.backUp();
  });
});
