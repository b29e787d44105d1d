/**
 * node health-check.mjs [--ready] [--wait SECONDS] [URL]
 *
 * Exits with 0 if the server is alive, or with --ready, if it has loaded its data and accepts
 * requests; otherwise with 1 and the reason. Without a URL it asks the server on this machine that
 * has the same settings in its environment. With --wait it tries again every half second, until the
 * time is over or the process with the number in MAINPID has ended, which systemd sets.
 */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const TIME_LIMIT_MS = 5_000;
const PAUSE_MS = 500;

const { values, positionals } = parseArgs({
  options: { ready: { type: 'boolean' }, wait: { type: 'string' } },
  allowPositionals: true,
});
const url = positionals[0] ?? urlFrom(process.env, values.ready ? 'ready' : 'live');
const end = Date.now() + Number(values.wait ?? 0) * 1000;

let reason = await problemOf(url);
while (reason !== '' && Date.now() < end && isRunning(process.env.MAINPID)) {
  await sleep(PAUSE_MS);
  reason = await problemOf(url);
}
if (reason !== '') {
  console.error(`${url}: ${reason}`);
  process.exitCode = 1;
}

/**
 * @param {NodeJS.ProcessEnv} environment
 * @param {'live' | 'ready'} what
 */
function urlFrom(environment, what) {
  const { PATHPOOL_HOST: host, PATHPOOL_PORT: port = '8080' } = environment;
  const { PATHPOOL_TLS_CERT: cert, PATHPOOL_BASE: base } = environment;
  const path = base === undefined ? '' : new URL(base).pathname.replace(/\/$/, '');
  return `${cert === undefined ? 'http' : 'https'}://${addressOf(host)}:${port}${path}/health/${what}`;
}

/**
 * Returns where a server can be reached that listens on an address, or on all of this machine.
 * @param {string | undefined} host
 */
function addressOf(host) {
  if (host === undefined || host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** @param {string | undefined} pid */
function isRunning(pid) {
  if (pid === undefined) return true;
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Resolves with an empty text if the server answers with 200.
 * @param {string} address
 * @returns {Promise<string>}
 */
function problemOf(address) {
  return new Promise((resolve) => {
    // The certificate is for the name by which clients know the server, and this is another one.
    const options = { timeout: TIME_LIMIT_MS, rejectUnauthorized: false };
    const send = address.startsWith('https:') ? requestHttps : requestHttp;
    const request = send(address, options, (response) => {
      response.resume();
      resolve(response.statusCode === 200 ? '' : `the status is ${response.statusCode}`);
    });
    request.on('timeout', () => request.destroy(new Error('no response in time')));
    request.on('error', (error) => resolve(error.message));
    request.end();
  });
}
