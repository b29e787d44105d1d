import { statfs } from 'node:fs/promises';

/** Types of file systems that one kernel alone can use at a time, as statfs(2) gives them. */
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
 * Whether all processes that can see a directory run on one kernel. Any file system that is not
 * known to be like that may be a network's. Other systems than Linux do not tell; there it is taken
 * for local.
 */
export async function isLocal(directory: string): Promise<boolean> {
  return process.platform !== 'linux' || localTypes.has((await statfs(directory)).type);
}
