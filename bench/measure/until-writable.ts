import { setTimeout as wait } from 'node:timers/promises';

const PLACE = '/context?graph=urn:x:pathpool-writable';
const POLL_MS = 5;
/** Longest start, in milliseconds. */
const PATIENCE_MS = 300_000;

/**
 * Resolves when a server has accepted a write. By then all of its data are in all of its memories,
 * however early it serves reads. The written data are removed.
 */
export async function untilWritable(url: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await accepts(url).catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`${url} takes no writes.`);
    await wait(POLL_MS);
  }
  await fetch(url + PLACE, { method: 'DELETE' });
}

async function accepts(url: string): Promise<boolean> {
  const headers = { 'Content-Type': 'application/n-triples' };
  const body = '<urn:x:s> <urn:x:p> <urn:x:o> .';
  const response = await fetch(url + PLACE, { method: 'PUT', headers, body });
  await response.arrayBuffer();
  return response.ok;
}
