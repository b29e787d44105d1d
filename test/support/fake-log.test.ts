import { describeSharedLog } from '../contracts/commit-log.contract.ts';
import { seededRandom } from '../simulation/sim-disk.ts';
import { FakeSharedLog } from './fake-log.ts';

for (const seed of [1, 2, 3]) {
  describeSharedLog({
    name: `the log in memory, seed ${seed}`,
    start: async () => {
      const shared = new FakeSharedLog(seededRandom(seed), {
        lost: 0,
        late: 0,
        unanswered: 0,
        doubled: 0.3,
        turns: 5,
      });
      return {
        open: async () => shared.open(),
        damage: async (sequence, kind) => shared.damage(sequence, kind),
        timeOut: () => {
          shared.faults = { lost: 0.2, late: 0.2, unanswered: 0.2, doubled: 0.3, turns: 5 };
        },
      };
    },
  });
}
