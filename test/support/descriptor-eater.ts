/**
 * node --import tsx test/support/descriptor-eater.ts DIRECTORY: acquires a lease on the directory,
 * opens as many files as it may, checks the lease meanwhile, and closes them. Prints the outcome.
 */
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { requireLease } from '../../src/journal/lock/lease.ts';
import { lockDirectory } from '../../src/journal/lock/lock.ts';

const { lease, release } = await lockDirectory(process.argv[2] ?? '', { leaseMs: 3_600_000 });
const descriptors = openAll();
const required = requireLease(lease!).then(
  () => 'held',
  (error: NodeJS.ErrnoException) => error.code ?? String(error),
);
for (let failures = 0; failures < 5; ) {
  await readFile('/dev/null').catch(() => failures++);
}
for (const descriptor of descriptors) closeSync(descriptor);
console.log(await required);
await release();

function openAll(): number[] {
  const opened: number[] = [];
  try {
    for (;;) opened.push(openSync('/dev/null', 'r'));
  } catch {
    return opened;
  }
}
