import type { Front } from './front.ts';
import type { FrontName } from './known-fronts.ts';
import { loadUwsFront } from './uws-front.ts';

export interface ChosenFront {
  readonly front: Front;
  /** Why uWebSockets.js is not used although nothing else was asked for. */
  readonly fallback?: string;
}

/**
 * Returns the front that was asked for. Without `wanted`, that is uWebSockets.js where it can be
 * loaded, and node:http elsewhere: the library consists of binaries for some versions of Node.js,
 * systems and processors. Rejects if uWebSockets.js was asked for and can't be loaded.
 */
export async function chooseFront(
  wanted: FrontName | undefined,
  loadUws: () => Promise<Front> = loadUwsFront,
): Promise<ChosenFront> {
  if (wanted === 'node') return { front: await loadNodeFront() };
  try {
    return { front: await loadUws() };
  } catch (error) {
    const reason = firstLine(error);
    if (wanted === undefined) return { front: await loadNodeFront(), fallback: reason };
    throw new Error(
      `--front uws: uWebSockets.js can't be loaded on Node.js ${process.version} for ${process.platform}-${process.arch}: ${reason} Use --front node, or a version of Node.js that it has a binary for.`,
      { cause: error },
    );
  }
}

async function loadNodeFront(): Promise<Front> {
  return (await import('./node-front.ts')).createNodeFront();
}

/** As a sentence. */
function firstLine(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.endsWith('.') ? line : `${line}.`;
}
