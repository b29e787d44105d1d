import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';

/** What a figure depends on besides the code. */
export interface Machine {
  readonly commit: string;
  readonly node: string;
  readonly system: string;
  readonly cores: number;
  readonly processor: string;
  readonly memoryGiB: number;
}

export function describeMachine(): Machine {
  const processors = cpus();
  return {
    commit: commit(),
    node: process.version,
    system: `${process.platform} ${process.arch}`,
    cores: processors.length,
    processor: processors[0]?.model.trim() ?? '',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  };
}

/** With a plus behind it where files differ from it; empty outside of a repository. */
function commit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no') !== '';
    return git('rev-parse', '--short', 'HEAD') + (changed ? '+' : '');
  } catch {
    return '';
  }
}
