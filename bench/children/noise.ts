/**
 * A neighbour that creates load until it is terminated: `noise.js
 * runaway|upload|export|strangers|relatives URL [FILE]`. SIGUSR2 makes it pause after its round,
 * and continue. Prints a line for each round: `round`, or `resting`.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { ConditionVariable } from '../../src/base/condition-variable.ts';
import { GRAPH, PERSON } from '../data/person-data.ts';
import { RunawayCrowd } from './runaway-crowd.ts';

const [kind, url = '', file = ''] = process.argv.slice(2);
const programUrl = `${url}/ldpath/program?uri=${encodeURIComponent(`${PERSON}0`)}`;
const graphUrl = (graph: string) => `${url}/context?graph=${encodeURIComponent(graph)}`;

const noises: Readonly<Record<string, () => Promise<unknown>>> = {
  async runaway() {
    const body = `x${Date.now()} = (foaf:knows | fn:concat(foaf:name, "${'a'.repeat(30)}b"))+ ;`;
    const sent = fetch(programUrl, { method: 'POST', body });
    void sent.then((response) => response.text());
    await wait(1_000);
  },
  async upload() {
    const headers = { 'Content-Type': 'text/turtle' };
    const body = await readFile(file);
    const response = await fetch(graphUrl('urn:x:noise'), { method: 'PUT', headers, body });
    if (!response.ok) throw new Error(`PUT answered ${response.status}`);
    await fetch(graphUrl('urn:x:noise'), { method: 'DELETE' });
  },
  async export() {
    const response = await fetch(`${graphUrl(GRAPH)}&format=nt`);
    if (!response.ok || !response.body) throw new Error(`GET answered ${response.status}`);
    for await (const _ of response.body);
  },
  strangers: () => crowd('127.0.0.2'),
  relatives: () => crowd('127.0.0.1'),
};

let crowded: RunawayCrowd | undefined;

/** Many connections from one address, with nothing but runaway programs. */
async function crowd(address: string): Promise<void> {
  crowded ??= new RunawayCrowd(programUrl, address, CROWD);
  crowded.fill();
  await wait(1_000);
  if (resting) crowded.leave();
}

const DAY_MS = 86_400_000;
const CROWD = 64;

let resting = false;
const change = new ConditionVariable();
process.on('SIGUSR2', () => {
  resting = !resting;
  change.notify();
});
// While it rests there is nothing else to wait for.
setInterval(() => {}, DAY_MS);

console.log('ready');
for (;;) {
  await noises[kind ?? '']?.();
  console.log(resting ? 'resting' : 'round');
  while (resting) await change.wait();
}
