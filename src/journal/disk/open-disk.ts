import { type Lease, requireLease } from '../lock/lease.ts';
import type { Disk } from './disk.ts';
import { FencedDisk } from './fenced-disk.ts';
import { openNodeDisk } from './node-disk.ts';

/**
 * Opens the disk of a data directory that this process has locked. With a lease, ownership is
 * verified before changes count.
 */
export async function openDisk(directory: string, lease: Lease | undefined): Promise<Disk> {
  const disk = await openNodeDisk(directory);
  return lease ? new FencedDisk(disk, () => requireLease(lease)) : disk;
}
