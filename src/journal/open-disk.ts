import type { Disk } from './disk.ts';
import { FencedDisk } from './fenced-disk.ts';
import { type Lease, requireLease } from './lease.ts';
import { openNodeDisk } from './node-disk.ts';

/** The disk under a data directory that this process has, by a lease if there is one. */
export async function openDisk(directory: string, lease: Lease | undefined): Promise<Disk> {
  const disk = await openNodeDisk(directory);
  return lease ? new FencedDisk(disk, () => requireLease(lease)) : disk;
}
