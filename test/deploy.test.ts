/**
 * What docs/deploy.md describes, as far as it can run without a container engine, systemd and
 * Kubernetes.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it, type TestContext } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { environmentName, settings } from '../src/config.ts';
import { hashPassword } from '../src/http/middleware/password.ts';
import { projectFile } from './support/project.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { tested } from './support/tested-front.ts';

const dockerfile = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '');
const unit = read('deploy/pathpool.service');
const healthCheck = projectFile('deploy/health-check.mjs');
/** The root of the image in which the package is. */
const APP = '/app/';

function read(file: string): string {
  return readFileSync(projectFile(file), 'utf8');
}

/** The arguments of the last instruction of that name. */
function instruction(name: string): string {
  return [...dockerfile.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].at(-1)![1]!;
}

/** A command in the exec form. */
function command(text: string): string[] {
  const words = JSON.parse(text.slice(text.indexOf('['))) as string[];
  return words.map((word) => (word.startsWith(APP) ? projectFile(word.slice(APP.length)) : word));
}

/** The variables of the image. */
function imageEnvironment(): Record<string, string> {
  return Object.fromEntries(
    instruction('ENV')
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  );
}

/** The environment of the tests without settings of the server. */
function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PATHPOOL_')));
}

interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** An empty directory, and the image's environment with another volume and a free port. */
async function containerPlace(
  context: TestContext,
  environment: Record<string, string> = {},
): Promise<Place> {
  const folder = await temporaryDirectory(context);
  const cwd = join(folder, 'empty');
  mkdirSync(cwd);
  const own = {
    PATHPOOL_DATA: join(folder, 'data'),
    PATHPOOL_PORT: '0',
    PATHPOOL_THREADS: '1',
    // Without a warning where uWebSockets.js can't be loaded, as it can in the image.
    PATHPOOL_FRONT: tested.front,
  };
  return { cwd, env: { ...plainEnvironment(), ...imageEnvironment(), ...own, ...environment } };
}

function start(context: TestContext, words: readonly string[], place: Place): ChildProcess {
  const child = spawn(process.execPath, words.slice(1), { ...place, stdio: ['ignore', 'pipe', 'pipe'] });
  context.after(() => child.kill('SIGKILL'));
  return child;
}

/** The exit status, and what it wrote to standard error. */
async function ended(child: ChildProcess): Promise<{ status: number | null; errors: string }> {
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, errors };
}

describe('the image', () => {
  const entryPoint = command(instruction('ENTRYPOINT'));

  it('does not start without credentials', async (context) => {
    const { status, errors } = await ended(start(context, entryPoint, await containerPlace(context)));
    assert.equal(status, 2);
    assert.match(errors, /Refusing to listen on 0\.0\.0\.0 without credentials/);
  });

  it('serves with credentials, writes to its volume only, and ends in order by SIGTERM', async (context) => {
    const credential = `write anna ${await hashPassword('secret')}`;
    const host = '127.0.0.1';
    const place = await containerPlace(context, { PATHPOOL_CREDENTIAL: credential, PATHPOOL_HOST: host });
    const server = start(context, entryPoint, place);
    const end = ended(server);
    const [line] = (await once(createInterface({ input: server.stdout! }), 'line')) as [string];
    const url = /http:\S+/.exec(line)![0];
    assert.equal((await fetch(`${url}/context/list`)).status, 401);
    const { port } = new URL(url);
    const check = command(instruction('HEALTHCHECK'));
    const healthy = start(context, check, { ...place, env: { ...place.env, PATHPOOL_PORT: port } });
    assert.deepEqual(await ended(healthy), { status: 0, errors: '' });
    const ready = [...check, '--ready'];
    const isReady = start(context, ready, { ...place, env: { ...place.env, PATHPOOL_PORT: port } });
    assert.equal((await ended(isReady)).status, 0);
    server.kill(instruction('STOPSIGNAL') as NodeJS.Signals);
    assert.deepEqual(await end, { status: 0, errors: '' });
    assert.deepEqual(readdirSync(place.cwd), []);
  });

  it('runs as a user that is not root, and has a volume where the data are', () => {
    assert.match(instruction('USER'), /^[1-9]\d*:[1-9]\d*$/);
    const { PATHPOOL_DATA, PATHPOOL_PORT } = imageEnvironment();
    assert.deepEqual([instruction('VOLUME'), instruction('EXPOSE')], [PATHPOOL_DATA, PATHPOOL_PORT]);
  });

  it('copies only files that exist', () => {
    const ignored = read('.dockerignore').split('\n');
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, files]) =>
      files!.split(' '),
    );
    const shown = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    assert.ok(shown.length > 5);
    for (const file of [...copied, ...shown]) assert.ok(existsSync(projectFile(file)), file);
  });
});

describe('the command', () => {
  it('has another exit status for its own faults than for damaged data', async (context) => {
    const fault = 'process.once("SIGUSR2", () => { throw new Error("a fault"); })';
    const place = await containerPlace(context, { PATHPOOL_HOST: '127.0.0.1' });
    const words = ['node', '--import', `data:text/javascript,${fault}`, projectFile('dist/src/main.js')];
    const server = start(context, words, place);
    const end = ended(server);
    await once(createInterface({ input: server.stdout! }), 'line');
    server.kill('SIGUSR2');
    const { status, errors } = await end;
    assert.deepEqual([status, /^pathpool: Error: a fault\n {4}at /.test(errors)], [2, true]);
    assert.doesNotMatch(unit, /RestartPreventExitStatus=.*2/);
  });
});

describe('the health check', () => {
  const run = (context: TestContext, args: readonly string[], environment: Record<string, string> = {}) =>
    ended(
      start(context, ['node', healthCheck, ...args], {
        cwd: projectFile('.'),
        env: { ...plainEnvironment(), ...environment },
      }),
    );

  it('says why a server is not alive', async (context) => {
    const server = createServer((_request, response) => response.writeHead(503).end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const environment = { PATHPOOL_PORT: String(port), PATHPOOL_BASE: 'http://x.example/base/' };
    const wrong = await run(context, [], environment);
    const url = `http://127.0.0.1:${port}/base/health/live`;
    assert.deepEqual(wrong, { status: 1, errors: `${url}: the status is 503\n` });
    server.close();
    await once(server, 'close');
    const none = await run(context, [url]);
    assert.equal(none.status, 1);
    assert.match(none.errors, /ECONNREFUSED/);
  });

  it('asks the address on which the server listens', async (context) => {
    const PATHPOOL_PORT = '9';
    for (const [PATHPOOL_HOST, address] of [
      ['0.0.0.0', '127.0.0.1'],
      ['::', '127.0.0.1'],
      ['127.0.0.3', '127.0.0.3'],
      ['::1', '[::1]'],
    ] as const) {
      const { errors } = await run(context, [], { PATHPOOL_HOST, PATHPOOL_PORT });
      assert.ok(errors.startsWith(`http://${address}:9/health/live: `), errors);
    }
  });

  it('waits for a server, but not for one that has ended', async (context) => {
    let requests = 0;
    const server = createServer((_request, response) => {
      response.writeHead(++requests < 2 ? 503 : 200).end();
    }).listen(0, '127.0.0.1');
    context.after(() => server.close());
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    assert.equal((await run(context, ['--wait', '600', url])).status, 0);
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    const MAINPID = String(child.pid);
    requests = Number.NEGATIVE_INFINITY;
    assert.equal((await run(context, ['--wait', '600', url], { MAINPID })).status, 1);
  });
});

describe('the script that trims modules', () => {
  it('keeps the binary of this system', async (context) => {
    const folder = await temporaryDirectory(context);
    const own = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;
    const files = [own, 'uws_plan9_x64_1.node', 'other.js', 'other.js.map'];
    const binaries = join(folder, 'uWebSockets.js/dist/bin');
    mkdirSync(binaries, { recursive: true });
    for (const file of files) writeFileSync(join(binaries, file), '');
    const place = { cwd: folder, env: plainEnvironment() };
    const script = projectFile('deploy/trim-modules.mjs');
    assert.equal((await ended(start(context, ['node', script, '.'], place))).status, 0);
    assert.deepEqual(readdirSync(binaries).toSorted(), ['other.js', own]);
    assert.equal((await ended(start(context, ['node', script], place))).status, 2);
  });
});

/** Seconds for running requests, with which the server closes. */
const GRACE = 10;

describe('the files of deployments', () => {
  const known = new Set(Object.values(settings).map(environmentName));

  it('set variables that the server knows', () => {
    const files = [
      'Dockerfile',
      'compose.yaml',
      'deploy/pathpool.service',
      'deploy/kubernetes/pathpool.yaml',
    ];
    for (const file of [...files, 'docs/deploy.md']) {
      const named = [...read(file).matchAll(/\bPATHPOOL_[A-Z_]+/g)].map(([name]) => name);
      assert.ok(named.length > 1, file);
      assert.deepEqual(
        named.filter((name) => !known.has(name)),
        [],
      );
    }
  });

  it('of Compose: a service with a volume, credentials and time to stop', () => {
    const { services, volumes, secrets } = parse(read('compose.yaml'));
    const { pathpool } = services;
    assert.deepEqual([Object.keys(volumes), Object.keys(secrets)], [['data'], pathpool.secrets]);
    assert.deepEqual(pathpool.volumes, [`data:${imageEnvironment()['PATHPOOL_DATA']}`]);
    assert.equal(pathpool.environment.PATHPOOL_CREDENTIALS, `/run/secrets/${pathpool.secrets[0]}`);
    assert.deepEqual(pathpool.ports, ['127.0.0.1:8080:8080']);
    assert.ok(Number.parseInt(pathpool.stop_grace_period, 10) > GRACE);
    // Damaged data must not make it start for ever.
    assert.match(pathpool.restart, /^on-failure:[1-9]$/);
  });

  it('of Kubernetes: one replica, which is not root, with probes and a volume', () => {
    const documents = parseAllDocuments(read('deploy/kubernetes/pathpool.yaml'));
    const [service, set] = documents.map((each) => each.toJS());
    assert.deepEqual([service.kind, set.kind, set.spec.replicas], ['Service', 'StatefulSet', 1]);
    assert.equal(set.spec.serviceName, service.metadata.name);
    const { metadata, spec } = set.spec.template;
    assert.deepEqual(
      [metadata.labels, set.spec.selector.matchLabels],
      [service.spec.selector, metadata.labels],
    );
    assert.equal(`${spec.securityContext.runAsUser}:${spec.securityContext.runAsGroup}`, instruction('USER'));
    assert.ok(spec.terminationGracePeriodSeconds > GRACE && spec.securityContext.runAsNonRoot);
    // Variables such as PATHPOOL_PORT=tcp://… would be unknown or wrong settings.
    assert.equal(spec.enableServiceLinks, false);
    const [{ livenessProbe, readinessProbe, ports, volumeMounts, env }] = spec.containers;
    const probes = [livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path);
    assert.deepEqual(probes, ['/health/live', '/health/ready']);
    assert.equal(String(ports[0].containerPort), instruction('EXPOSE'));
    const volumes = [...spec.volumes.map(nameOfItem), ...set.spec.volumeClaimTemplates.map(nameOfClaim)];
    assert.deepEqual(volumeMounts.map(nameOfItem).toSorted(), volumes.toSorted());
    assert.equal(volumeMounts[0].mountPath, imageEnvironment()['PATHPOOL_DATA']);
    const credentials = env.find(({ name }: Named) => name === 'PATHPOOL_CREDENTIALS');
    assert.ok(credentials.value.startsWith(`${volumeMounts[1].mountPath}/`));
  });

  it('of systemd: files that the package has, and time to stop', () => {
    const files = Array.from(
      unit.matchAll(/\/opt\/pathpool\/node_modules\/pathpool\/(\S+)/g),
      ([, file]) => file!,
    );
    assert.equal(files.length, 3);
    for (const file of files) read(file.replace('dist/src/main.js', 'src/main.ts'));
    assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1]) > GRACE);
    const [start, wait] = [/^TimeoutStartSec=(\d+)$/m, /--wait (\d+)$/m].map((each) =>
      Number(each.exec(unit)![1]),
    );
    assert.ok(start! > wait!);
  });
});

interface Named {
  readonly name: string;
}

function nameOfItem({ name }: Named): string {
  return name;
}

function nameOfClaim({ metadata }: { readonly metadata: Named }): string {
  return metadata.name;
}
