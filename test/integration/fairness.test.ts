import assert from 'node:assert/strict';
import { platform } from 'node:os';
import { describe, it, type TestContext } from 'node:test';
import { RunawayCrowd } from '../../bench/children/runaway-crowd.ts';
import { PATH, PERSON, personTurtle } from '../../bench/data/person-data.ts';
import { startServer } from '../support/server-process.ts';

const PERSONS = 2_000;
const CONNECTIONS = 64;
const EVALUATIONS = 300;
const NEW_PROGRAMS = 5;
const STRANGER = '127.0.0.2';

const skip = platform() !== 'linux' && 'Only Linux has all of 127.0.0.0/8 by default.';

/** Starts a server with two threads and data. */
async function serverWithPersons(t: TestContext): Promise<string> {
  const { url } = await startServer(t, ['--memory', '--threads', '2', '--evaluation-time', '5']);
  const headers = { 'Content-Type': 'text/turtle' };
  const body = personTurtle(PERSONS);
  const put = await fetch(`${url}/context?graph=urn:x:people`, { method: 'PUT', headers, body });
  assert.equal(put.status, 201);
  return url;
}

/** Status of an evaluation from 127.0.0.1. */
async function statusOf(url: string, path: string, i: number): Promise<number> {
  const uri = encodeURIComponent(`${PERSON}${i % PERSONS}`);
  const response = await fetch(`${url}/ldpath/path?path=${encodeURIComponent(path)}&uri=${uri}`);
  await response.arrayBuffer();
  return response.status;
}

/** Keeps the server full of runaway evaluations until the test ends. */
function crowdAround(t: TestContext, url: string, address: string): void {
  const start = encodeURIComponent(`${PERSON}0`);
  const crowd = new RunawayCrowd(`${url}/ldpath/program?uri=${start}`, address, CONNECTIONS);
  crowd.fill();
  const timer = setInterval(() => crowd.fill(), 100);
  t.after(() => {
    clearInterval(timer);
    crowd.leave();
  });
}

/** Waits until a runaway evaluation has a thread. */
async function untilRunning(url: string): Promise<void> {
  while ((await (await fetch(`${url}/tasks`)).text()) === '{}');
}

describe('a client beside 64 connections with runaway evaluations of twelve kinds', () => {
  for (const [name, address] of [
    ['another address', STRANGER],
    ['the same address', '127.0.0.1'],
  ] as const) {
    it(`gets its results if the connections come from ${name}`, {
      skip,
      timeout: 300_000,
    }, async (t) => {
      const url = await serverWithPersons(t);
      for (let i = 0; i < 5; i++) assert.equal(await statusOf(url, PATH, i), 200);
      crowdAround(t, url, address);
      await untilRunning(url);
      for (let i = 0; i < EVALUATIONS; i++) assert.equal(await statusOf(url, PATH, i), 200);
      if (address !== STRANGER) return;
      for (let i = 0; i < NEW_PROGRAMS; i++)
        assert.equal(await statusOf(url, `foaf:knows[foaf:name is "Person ${i}"]`, i), 200);
    });
  }
});
