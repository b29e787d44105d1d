import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTENING = '0A';

/** The process that listens on a port of this machine; undefined where the system does not tell. */
export function listener(port: number): number | undefined {
  const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => listeningSockets(`/proc/net/${table}`, port)));
  if (sockets.size === 0) return undefined;
  return processes().find((pid) => hasSocket(pid, sockets));
}

/** Names of them as they stand behind file descriptors. */
function listeningSockets(table: string, port: number): string[] {
  const rows = textOf(table)
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/));
  return rows
    .filter(
      ([, local = '', , state]) =>
        state === LISTENING && Number.parseInt(local.split(':')[1] ?? '', 16) === port,
    )
    .map((row) => `socket:[${row[9]}]`);
}

function processes(): number[] {
  return list('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
}

function hasSocket(pid: number, sockets: ReadonlySet<string>): boolean {
  return list(`/proc/${pid}/fd`).some((descriptor) => {
    try {
      return sockets.has(readlinkSync(`/proc/${pid}/fd/${descriptor}`));
    } catch {
      return false;
    }
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
