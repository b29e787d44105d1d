import { statfs } from 'node:fs/promises';

/** Types of file systems that only one kernel can use at a time, as returned by statfs(2). */
const localTypes = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x2fc12fc1, // ZFS
  0xf2f52010, // F2FS
  0xca451a4e, // bcachefs
  0x3153464a, // JFS
  0x52654973, // ReiserFS
  0x3434, // NILFS
  0x01021994, // tmpfs
  0x858458f6, // ramfs
  0x794c7630, // overlayfs
  0x4d44, // FAT
  0x2011bab0, // exFAT
  0x7366746e, // NTFS3
]);

/**
 * Whether all processes that can see a directory run on the same kernel. A file system of unknown
 * type may be a network file system. Systems other than Linux do not report the type; there every
 * file system counts as local.
 */
export async function isLocal(directory: string): Promise<boolean> {
  return process.platform !== 'linux' || localTypes.has((await statfs(directory)).type);
}
