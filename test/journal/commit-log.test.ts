import type { Disk } from '../../src/journal/disk/disk.ts';
import { openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { describeCommitLog, type LogSubject } from '../contracts/commit-log.contract.ts';
import { SimDisk } from '../simulation/sim-disk.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

describeCommitLog({
  name: 'files on the simulated disk',
  start: async () => subjectOn(new SimDisk({ seed: 1, shortReads: 0.3 })),
});

describeCommitLog({
  name: 'files on a real disk',
  start: async (scope) => subjectOn(await openNodeDisk(await temporaryDirectory(scope))),
});

function subjectOn(disk: Disk): LogSubject {
  return {
    open: (checkpoint = 0) => openJournal(disk, { checkpoint }),
    /** Each record is in a file of its own. */
    async damage(sequence, kind) {
      const name = (await disk.list('')).filter((each) => each.startsWith('journal-')).sort()[sequence - 1]!;
      if (kind === 'hole') return disk.remove(name);
      const file = await disk.open(name, 'append');
      await file.truncate((await file.size()) - 1);
      await file.append([Buffer.from('?')]);
      await file.close();
    },
  };
}
