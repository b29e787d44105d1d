import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const MEMBERSHIP = '/proc/self/cgroup';
const ROOT = '/sys/fs/cgroup';

/**
 * Returns how long quotas have throttled this process, in milliseconds: the quotas of its control
 * group and of the groups around it. 0 without quotas, or without control groups of version 2.
 */
export function throttledMs(membership = MEMBERSHIP, root = ROOT): number {
  const path = /^0::\/(.*)$/m.exec(textOf(membership))?.[1];
  if (path === undefined) return 0;
  const names = path.split('/').filter((name) => name !== '');
  let microseconds = 0;
  for (let depth = names.length; depth >= 0; depth--) {
    const statistics = textOf(join(root, ...names.slice(0, depth), 'cpu.stat'));
    microseconds += Number(/^throttled_usec (\d+)$/m.exec(statistics)?.[1] ?? 0);
  }
  return microseconds / 1000;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
