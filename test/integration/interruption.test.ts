import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, watch } from 'node:fs';
import { chmod, mkdir, open, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { projectRoot } from '../support/project.ts';
import { type Scope, suiteScope } from '../support/scope.ts';
import { pathpoolCommand, runPathpool, spawnPathpool } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const RESULT = '{"uri":"urn:a","result":{}}\n';

const directory = await temporaryDirectory(suiteScope());
const program = join(directory, 'p.ldpath');
const uris = join(directory, 'uris.txt');
const people = join(directory, 'people.nq');
await writeFile(program, 'a = . :: xsd:string ;\n');
await writeFile(uris, 'urn:a\nurn:b\n');
await writeFile(people, '<urn:a> <urn:p> "1" <urn:g> .\n');

/** A server whose batches have one result and then nothing more. */
async function endlessServer(scope: Scope): Promise<{ url: string; began: Promise<ServerResponse> }> {
  const server = createServer((request, response) => {
    if (request.url === '/prefixes') {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
      return;
    }
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    response.write(RESULT);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const began = new Promise<ServerResponse>((resolve) => {
    server.on('request', ({ url }, response) => {
      if (url !== '/prefixes') resolve(response);
    });
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, began };
}

/** The names of files that begin with a name, and hidden ones. */
function filesBeside(file: string): string[] {
  return readdirSync(dirname(file)).filter((name) => name.includes(basename(file)));
}

async function interruptedEval(scope: Scope, out: string, signal: NodeJS.Signals) {
  const { url, began } = await endlessServer(scope);
  const args = ['eval', '--program', program, '--server', url, '--uris', uris, '--out', out];
  const child = spawnPathpool(scope, args);
  await began;
  child.kill(signal);
  const [status] = await once(child, 'close');
  return status as number | null;
}

describe('pathpool eval --out', () => {
  it('leaves no file when SIGTERM ends it, with status 143', async (t) => {
    const out = join(directory, 'terminated.ndjson');
    assert.equal(await interruptedEval(t, out, 'SIGTERM'), 143);
    assert.deepEqual(filesBeside(out), []);
  });

  it('leaves no file when its terminal is gone', async (t) => {
    const out = join(directory, 'hung-up.ndjson');
    assert.equal(await interruptedEval(t, out, 'SIGHUP'), null);
    assert.deepEqual(filesBeside(out), []);
  });

  it('leaves the file of an earlier run as it was when SIGINT ends it, with status 130', async (t) => {
    const out = join(directory, 'earlier.ndjson');
    await writeFile(out, 'earlier');
    assert.equal(await interruptedEval(t, out, 'SIGINT'), 130);
    assert.deepEqual(filesBeside(out), [basename(out)]);
    assert.equal(readFileSync(out, 'utf8'), 'earlier');
  });

  it('has no file under its name after SIGKILL, and the next run names the draft that is left', async (t) => {
    const out = join(directory, 'killed.ndjson');
    await interruptedEval(t, out, 'SIGKILL');
    const [draft, ...others] = filesBeside(out);
    assert.deepEqual([existsSync(out), others], [false, []]);
    const again = await runPathpool(['eval', '--program', program, '--data', people, '--out', out]);
    assert.equal(again.status, 0);
    const path = join(directory, draft!);
    assert.ok(again.err.includes(`${path} is incomplete output of another command.`), again.err);
    assert.deepEqual(filesBeside(out).toSorted(), [draft, basename(out)]);
  });

  it('is refused, with the reason, if it is a symbolic link that leads nowhere', async () => {
    const out = join(directory, 'link.ndjson');
    await symlink(join('missing', 'target.ndjson'), out);
    const { status, err } = await runPathpool(['eval', '--program', program, '--data', people, '--out', out]);
    assert.equal(status, 2);
    const reason = `pathpool: ${out} is a symbolic link that leads nowhere (to missing/target.ndjson).`;
    assert.ok(err.startsWith(reason), err);
    assert.deepEqual(filesBeside(out), [basename(out)]);
  });

  it('leaves no file if results are missing, and says so', async (t) => {
    const out = join(directory, 'missing.ndjson');
    const { url, began } = await endlessServer(t);
    void began.then((response) => response.destroy());
    const ended = await runPathpool([
      ...['eval', '--program', program, '--server', url, '--uris', uris, '--out', out],
    ]);
    assert.equal(ended.status, 1);
    assert.deepEqual(filesBeside(out), []);
    assert.match(ended.err, /missing\.ndjson was not written/);
  });

  it('is refused before anything is evaluated if the file cannot be written', async () => {
    const out = join(directory, 'nowhere', 'out.ndjson');
    const args = ['eval', '--program', program, '--data', people, '--out', out];
    const { status, err } = await runPathpool(args);
    assert.equal(status, 2);
    assert.match(err, /nowhere/);
    assert.doesNotMatch(err, /evaluations/);
  });

  it('writes to what is not a file, such as /dev/null', async () => {
    const args = ['eval', '--program', program, '--data', people, '--out', '/dev/null'];
    assert.equal((await runPathpool(args)).status, 0);
    assert.ok(!readdirSync('/dev').some((name) => name.includes('null.')));
  });
});

describe('a file of --out that is there already', () => {
  const args = ['eval', '--program', program, '--data', people, '--out'];

  it('keeps its permissions', async () => {
    const out = join(directory, 'shared.ndjson');
    await writeFile(out, 'earlier');
    await chmod(out, 0o666);
    assert.equal((await runPathpool([...args, out])).status, 0);
    assert.equal(statSync(out).mode & 0o777, 0o666);
    assert.notEqual(readFileSync(out, 'utf8'), 'earlier');
  });

  const isRoot = process.getuid?.() === 0;
  it('stays if it is protected', { skip: isRoot && 'root may write to every file' }, async () => {
    const out = join(directory, 'protected.ndjson');
    await writeFile(out, 'earlier', { mode: 0o400 });
    const { status, err } = await runPathpool([...args, out]);
    assert.equal(status, 2);
    assert.match(err, /EACCES.*protected/);
    assert.equal(readFileSync(out, 'utf8'), 'earlier');
  });
});

describe('a data command', () => {
  const source = join(directory, 'source');
  const seal = join(source, 'journal.seal');

  // A data directory whose seal is a named pipe, for which its readers wait.
  before(async () => {
    assert.equal((await runPathpool(['load', source, people])).status, 0);
    await rm(seal, { force: true });
    execFileSync('mkfifo', [seal]);
  });

  it('backup leaves nothing when SIGINT ends it, with status 130', async (t) => {
    const copies = join(directory, 'copies');
    await mkdir(copies);
    assert.equal(await endedBy(t, 'SIGINT', copies), 130);
    assert.deepEqual(readdirSync(copies), []);
  });

  it('backup has no directory under its name after SIGKILL', async (t) => {
    const copies = join(directory, 'copies-killed');
    await mkdir(copies);
    assert.equal(await endedBy(t, 'SIGKILL', copies), null);
    assert.ok(!existsSync(join(copies, 'copy')));
  });

  /** Begins a backup, and ends it when it has begun to write. */
  async function endedBy(scope: Scope, signal: NodeJS.Signals, copies: string): Promise<number | null> {
    const watcher = watch(copies);
    const child = spawnPathpool(scope, ['backup', source, join(copies, 'copy')]);
    const changed = once(watcher, 'change');
    // First it looks at the formats of all files.
    await (await open(seal, 'w')).close();
    await changed;
    watcher.close();
    child.kill(signal);
    const ended = once(child, 'exit');
    // Node.js waits at its end for the thread that opens the pipe.
    const pipe = await open(seal, 'r+');
    const [status] = await ended;
    await pipe.close();
    return status as number | null;
  }

  it('export --out writes the whole file, or leaves the earlier one', async () => {
    const data = join(directory, 'exported');
    assert.equal((await runPathpool(['load', data, people])).status, 0);
    const out = join(directory, 'all.nq');
    const args = ['export', data, '--out', out];
    assert.deepEqual(await runPathpool(args), { status: 0, out: '', err: '' });
    const missing = await runPathpool([...args, '--graph', 'urn:none']);
    assert.equal(missing.status, 2);
    assert.equal(readFileSync(out, 'utf8'), readFileSync(people, 'utf8'));
    assert.deepEqual(filesBeside(out), [basename(out)]);
  });
});

const hasScript = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

describe('on a terminal', { skip: !hasScript && 'the command script of util-linux is missing' }, () => {
  it('Ctrl-C shows the cursor again that the progress bar of eval has hidden', async (t) => {
    const { url } = await endlessServer(t);
    const out = join(directory, 'terminal.ndjson');
    const args = ['eval', '--program', program, '--server', url, '--uris', uris, '--out', out];
    const { status, shown } = await onTerminal(t, args, '\x1b[?25l');
    assert.ok(shown.lastIndexOf('\x1b[?25h') > shown.lastIndexOf('\x1b[?25l'), shown);
    assert.ok(shown.lastIndexOf('\x1b[?7h') > shown.lastIndexOf('\x1b[?7l'), shown);
    assert.equal(status, 130);
    assert.deepEqual(filesBeside(out), []);
  });

  it('Ctrl-C ends a load, and the cursor is there again', async (t) => {
    const pipe = endlessFile(t, 'load.nq');
    const { status, shown } = await onTerminal(t, ['load', join(directory, 'load'), pipe], '\x1b[?25l');
    assert.ok(shown.lastIndexOf('\x1b[?25h') > shown.lastIndexOf('\x1b[?25l'), shown);
    assert.match(shown, /interrupted: 0 of 1 files are loaded/);
    assert.equal(status, 130);
  });

  it('the server stops in order when the terminal is closed', async (t) => {
    const log = join(directory, 'log');
    execFileSync('mkfifo', [log]);
    const server = pathpoolCommand.map((part) => `'${part}'`).join(' ');
    const options = '--memory --threads 1 --port 0 --log-level info';
    const command = `exec ${server} ${options} 2> '${log}'`;
    const child = spawn('script', ['-qefc', command, '/dev/null'], { cwd: projectRoot });
    t.after(() => child.kill('SIGKILL'));
    const logged = readFile(log, 'utf8');
    let shown = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      shown += part;
      if (shown.includes('listening')) child.kill('SIGKILL');
    });
    assert.match(await logged, /"event":"stopping".*\n.*"event":"stop".*\n$/);
  });

  it('check, export and backup show what they do, and remove the bar', async (t) => {
    const data = join(directory, 'shown');
    assert.equal((await runPathpool(['load', data, people])).status, 0);
    const out = join(directory, 'shown.nq');
    for (const [args, works] of [
      [
        ['check', data],
        ['reading checkpoint-', 'comparing the parts of the checkpoint'],
      ],
      [
        ['export', data, '--out', out],
        ['reading checkpoint-', '% | writing'],
      ],
      [
        ['backup', data, join(directory, 'shown-copy')],
        ['copying checkpoint-', 'waiting for the disk'],
      ],
    ] as const) {
      const { status, shown } = await onTerminal(t, args);
      assert.equal(status, 0, shown);
      for (const work of works) assert.ok(shown.includes(work), `${work}: ${shown}`);
      assert.ok(shown.lastIndexOf('\x1b[?25h') > shown.lastIndexOf('\x1b[?25l'), shown);
    }
    const { shown } = await onTerminal(t, ['export', data]);
    assert.equal(shown.replaceAll('\r', ''), readFileSync(out, 'utf8'));
  });

  for (const [what, args] of [
    ['eval', ['eval', '--program', program, '--out', join(directory, 'x.ndjson'), '--data']],
    ['the server', ['--memory', '--port', '0', '--load']],
  ] as const) {
    it(`${what} shows that it loads, and Ctrl-C ends it`, async (t) => {
      const pipe = endlessFile(t, `${args[0].replace('--', '')}.nq`);
      const { status, shown } = await onTerminal(t, [...args, pipe], basename(pipe));
      assert.match(shown, /loading \w+\.nq: reading/);
      assert.ok(shown.lastIndexOf('\x1b[?25h') > shown.lastIndexOf('\x1b[?25l'), shown);
      assert.equal(status, 130);
    });
  }
});

/** A named pipe with quads that do not end. */
function endlessFile(scope: Scope, name: string): string {
  const pipe = join(directory, name);
  execFileSync('mkfifo', [pipe]);
  const line = '<urn:a> <urn:p> "1" <urn:g> .';
  const writer = spawn('sh', ['-c', 'exec yes "$0" > "$1"', line, pipe], { stdio: 'ignore' });
  scope.after(() => writer.kill('SIGKILL'));
  return pipe;
}

/** Runs a command on a terminal, and presses Ctrl-C when it has shown a text, if one is given. */
async function onTerminal(scope: Scope, args: readonly string[], text?: string) {
  const command = [...pathpoolCommand, ...args].map((part) => `'${part}'`).join(' ');
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: projectRoot,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  scope.after(() => child.kill('SIGKILL'));
  let shown = '';
  let pressed = false;
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    shown += part;
    if (pressed || text === undefined || !shown.includes(text)) return;
    pressed = true;
    child.stdin.write('\x03');
  });
  const [status] = await once(child, 'close');
  return { status: status as number | null, shown };
}
