import type { Kind } from './kinds.ts';
import { writeKinds } from './kinds.ts';

/** Shares of a core, while the server was asked for all that it gives. */
export interface Use {
  /** Of the server's main thread; undefined, like `others`, if the server is on another machine. */
  readonly main: number | undefined;
  /** Of its other threads, most first. */
  readonly others: readonly number[] | undefined;
  readonly generator: number;
  /** Of all cores of this machine together, by everybody: 0 to 1. */
  readonly machine: number;
  readonly cores: number;
}

const BUSY = 0.85;
const MACHINE_BUSY = 0.93;

/** The limiting resource, by what was busy, in words. */
export function bottleneck(kind: Kind, use: Use, threads: number | undefined): string {
  const { main, others, generator, machine } = use;
  if (generator > BUSY) return 'the load generator: the server can do more than this machine can request';
  if (main === undefined || others === undefined) return 'not known, since the server is not on this machine';
  if (main > BUSY) return 'the main thread';
  const busy = others.filter((share) => share > BUSY).length;
  if (!writeKinds.has(kind) && threads !== undefined && busy >= threads) return `the ${threads} pool threads`;
  if (writeKinds.has(kind) && busy > 0) return 'the thread that writes';
  if (machine > MACHINE_BUSY) return cores(use);
  if (writeKinds.has(kind)) return 'the disk: no thread is busy, writes wait for it to sync';
  return 'nothing on this machine is busy: requests wait for each other';
}

function cores({ main = 0, others = [], generator, machine, cores }: Use): string {
  const threads = others.reduce((sum, share) => sum + share, 0);
  const strangers = Math.max(0, machine * cores - main - threads - generator);
  const shares = Object.entries({
    'main thread': main,
    'other threads': threads,
    'load generator': generator,
    'other programs': strangers,
  }).map(([name, share]) => `${name} ${percent(share)}`);
  return `the cores of this machine (${shares.join(', ')} of a core)`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
