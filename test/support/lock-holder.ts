/**
 * node --import tsx test/support/lock-holder.ts DIRECTORY [LEASE]: acquires and releases the lock
 * of a directory on the commands `take` and `release` from standard input, and prints the outcomes.
 */
import { createInterface } from 'node:readline';
import { type Lock, lockDirectory } from '../../src/journal/lock/lock.ts';

const [directory = '', lease] = process.argv.slice(2);
const leaseMs = lease === undefined ? undefined : Number(lease);
let lock: Lock | undefined;

const commands: Record<string, () => Promise<string>> = {
  async take() {
    try {
      lock = await lockDirectory(directory, { leaseMs });
      void lock.lost.then(() => console.log('lost'));
      return 'held';
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    }
  },
  async release() {
    await lock?.release();
    return 'released';
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  console.log((await commands[line]?.()) ?? `no command ${line}`);
}
