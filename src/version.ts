import { readFileSync } from 'node:fs';
import { codeRoot, runsFromSource } from './base/code-root.ts';

/** Returns the version of Pathpool. */
export function readVersion(): string {
  const file = new URL(runsFromSource ? 'package.json' : '../package.json', codeRoot);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
