#!/usr/bin/env -S node --v8-pool-size=1
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { inspect as shown } from 'node:util';
import { type App, type AppParts, createApp, NOT_CLOSED } from './app.ts';
import { type Request, readCommandLine } from './cli/command-line.ts';
import type { ClusterRequest } from './cli/data-commands.ts';
import type { EvalOptions } from './cli/eval/options.ts';
import { reloadOnHangup } from './cli/hangup.ts';
import type { IndexOptions } from './cli/indexing/options.ts';
import type { MarmottaOptions } from './cli/marmotta/options.ts';
import { Output } from './cli/output.ts';
import type { SettingsInForce } from './cli/settings/sources.ts';
import { exitOnSignals, onSignal, STOPPING, statusOf } from './cli/signals.ts';
import { noDisplay, type WorkDisplay } from './cli/work-display.ts';
import type { Config } from './config.ts';
import { hashPassword } from './http/middleware/password.ts';
import { createLog } from './log.ts';

/** Exit status for damaged data; every other failure is 2. */
const DAMAGED = 1;
/** Exit status of a server that must be started again: a temporary failure in sysexits.h. */
const OVERTAKEN = 75;

// Node.js would end with the status 1.
process.on('uncaughtException', (error: unknown) => {
  process.stderr.write(`pathpool: ${shown(error)}\n`);
  process.exit(2);
});

const request = readCommandLine(process.argv.slice(2), process.env);
if (request.kind === 'exit') {
  (request.status === 0 ? process.stdout : process.stderr).write(request.text);
  process.exitCode = request.status;
} else {
  if ('warnings' in request) sayAll(request.warnings);
  await run(request).catch((error: unknown) => {
    process.stderr.write(`pathpool: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit((error as { code?: unknown }).code === 'data-damaged' ? DAMAGED : 2);
  });
}

function sayAll(warnings: readonly string[]): void {
  for (const warning of warnings) process.stderr.write(`pathpool: ${warning}\n`);
}

function run(request: Exclude<Request, { kind: 'exit' }>): Promise<void> {
  switch (request.kind) {
    case 'serve':
      return serve(request.config, request.settings);
    case 'inspect':
      return show(request.directory, request.record);
    case 'check':
      return report(request.directory);
    case 'export':
      return writeQuads(request);
    case 'backup':
      return copy(request.directory, request.target);
    case 'backup-repository':
      return backUp(request);
    case 'restore':
      return restoreData(request);
    case 'list-backups':
      return listBackups(request.directory);
    case 'inspect-cluster':
    case 'check-cluster':
    case 'backup-cluster':
    case 'import':
      return useCluster(request);
    case 'load':
      return loadOffline(request);
    case 'eval':
      return evaluate(request.options, request.config);
    case 'index':
      return fillIndex(request.options);
    case 'import-marmotta':
      return moveIn(request.options);
    case 'hash-password':
      return printHash();
  }
}

/** Serves until SIGINT or SIGTERM; SIGHUP reloads. */
async function serve(config: Config, settings: SettingsInForce): Promise<void> {
  const log = createLog(config.logLevel);
  const close = (app: App) => {
    app.close().catch((err: unknown) => {
      log.error({ err }, NOT_CLOSED);
      process.exitCode = 2;
    });
  };
  const stopExiting = exitOnSignals(STOPPING);
  const starting = startApp(config, { log, settings });
  reloadOnHangup(starting, log, close);
  const app = await starting;
  stopExiting();
  for (const signal of STOPPING) process.once(signal, () => close(app));
  void app.overtaken.then(() => {
    log.warn(
      { event: 'overtaken' },
      'This process was too slow for the journal of its cluster. It ends, to be started again.',
    );
    process.exitCode = OVERTAKEN;
    close(app);
  });
  const place = config.memory ? 'in memory' : `data ${config.data}`;
  console.log(
    `pathpool: listening on ${app.url} (${place}, ${config.threads} threads, ${app.quadCount} quads, front ${app.front})`,
  );
}

/** On a terminal where the log does not show the progress of `--load`, a bar does. */
async function startApp(config: Config, parts: Pick<AppParts, 'log' | 'settings'>): Promise<App> {
  const { log } = parts;
  const showsBar = config.load.length > 0 && process.stderr.isTTY && !log.isLevelEnabled('info');
  if (!showsBar) return createApp(config, parts);
  const { LoadingBar } = await import('./cli/loading-bar.ts');
  const loading = new LoadingBar(true);
  try {
    return await createApp(config, { ...parts, loading });
  } finally {
    loading.end();
  }
}

/*
 * Each command loads its modules when it runs, so that a server's main thread never loads the
 * language, the RDF formats and Oxigraph.
 */

async function evaluate(options: EvalOptions, config: Config): Promise<void> {
  exitOnSignals();
  const { evaluateFiles } = await import('./cli/eval/eval.ts');
  process.exitCode = await evaluateFiles(options, config);
}

/** The first signal ends the command in order; the second one terminates it. */
async function fillIndex(options: IndexOptions): Promise<void> {
  const { runIndex } = await import('./cli/indexing/run-index.ts');
  const interruption = new AbortController();
  onSignal(STOPPING, (signal) => {
    interruption.abort(signal);
    exitOnSignals();
  });
  const failures = await runIndex(options, interruption.signal);
  if (options.once && failures > 0) process.exitCode = 1;
}

async function moveIn(options: MarmottaOptions): Promise<void> {
  exitOnSignals();
  const { importMarmotta } = await import('./cli/marmotta/import-marmotta.ts');
  const report = await withBar((bar, notice) => importMarmotta(options, bar, notice));
  process.stdout.write(report.text());
  if (report.hasLeft) process.exitCode = 1;
}

async function show(directory: string, record: number | undefined): Promise<void> {
  exitOnSignals();
  const { inspect } = await import('./cli/inspect.ts');
  const { text, rows, damaged } = await inspect(directory, record);
  process.stdout.write(text);
  if (rows) await print(rows);
  if (damaged) process.exitCode = DAMAGED;
}

async function report(directory: string): Promise<void> {
  exitOnSignals();
  const { check } = await import('./cli/check.ts');
  const { isRepository } = await import('./cli/backups/repository.ts');
  const { checkRepository } = await import('./cli/backups/inventory.ts');
  const { lines, damaged } = (await isRepository(directory))
    ? await checkRepository(directory)
    : await withBar((bar, notice) => check(directory, notice, bar));
  process.stdout.write(`${lines.join('\n')}\n`);
  if (damaged) process.exitCode = DAMAGED;
}

async function writeQuads({ directory, graph, out }: Extract<Request, { kind: 'export' }>): Promise<void> {
  exitOnSignals();
  const { exportQuads } = await import('./cli/export.ts');
  // A bar on the terminal that also shows the quads would be among them.
  const isApart = out !== undefined || !process.stdout.isTTY;
  await withBar(async (bar, notice) => {
    if (out === undefined) return print(await exportQuads(directory, graph, notice, bar));
    const output = await Output.open(out, notice);
    for (const chunk of await exportQuads(directory, graph, notice, bar)) await output.write(chunk);
    await output.close();
  }, isApart);
}

/**
 * Runs a command that shows its progress on a terminal. It can tell what the user must know, for
 * which the bar makes room.
 */
async function withBar<T>(
  work: (bar: WorkDisplay, notice: (message: string) => void) => Promise<T>,
  isWanted = true,
): Promise<T> {
  if (!isWanted || !process.stderr.isTTY) return work(noDisplay, tell);
  const { WorkBar } = await import('./cli/work-bar.ts');
  const bar = new WorkBar();
  try {
    return await work(bar, (message) => {
      bar.end();
      tell(message);
    });
  } finally {
    bar.end();
  }
}

async function print(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  await pipeline(chunks, process.stdout).catch((error: NodeJS.ErrnoException) => {
    // The reader, such as head, closed the pipe.
    if (error.code !== 'EPIPE') throw error;
  });
}

function tell(message: string): void {
  process.stderr.write(`pathpool: ${message}\n`);
}

async function copy(directory: string, target: string): Promise<void> {
  exitOnSignals();
  const { backup } = await import('./cli/backup.ts');
  const { isRepository } = await import('./cli/backups/repository.ts');
  if (await isRepository(target)) {
    throw new Error(
      `${target} is a backup repository: add a backup with --keep all, or such as --keep 24h,7d.`,
    );
  }
  const sequence = await withBar((bar, notice) => backup(directory, target, notice, bar));
  console.log(`copied ${directory} to ${target}, up to commit ${sequence}`);
}

/**
 * The first signal ends backups in order, between two pieces of a file; the second one terminates
 * the process.
 */
async function backUp(request: Extract<Request, { kind: 'backup-repository' }>): Promise<void> {
  const { directory, target: repository, options } = request;
  const { aboutGap, aboutRound, backUpRegularly } = await import('./cli/backups/intervals.ts');
  const { backupOnce } = await import('./cli/backups/round.ts');
  const interruption = new AbortController();
  onSignal(STOPPING, (signal) => {
    interruption.abort(signal);
    exitOnSignals();
  });
  const { signal } = interruption;
  const task = { directory, repository, keep: options.keep };
  const { everyMs } = options;
  if (everyMs !== undefined) {
    const around = { notice: tell, display: noDisplay, signal, now: Date.now };
    const failure = await backUpRegularly(task, everyMs, around);
    if (failure !== undefined) throw failure;
    return;
  }
  try {
    const result = await withBar((display, notice) =>
      backupOnce(task, { notice, display, signal, now: Date.now }),
    );
    console.log(aboutRound(task, result));
    const gap = aboutGap(result);
    if (gap !== undefined) tell(gap);
  } catch (error) {
    if (!signal.aborted) throw error;
    tell('interrupted: no backup was made. The next one uses what was copied.');
    process.exitCode = statusOf(signal.reason);
  }
}

async function restoreData(request: Extract<Request, { kind: 'restore' }>): Promise<void> {
  exitOnSignals();
  const { restore } = await import('./cli/backups/restoring/restore.ts');
  const { commit, missing } = await withBar((display, notice) =>
    restore(request, { notice, display, now: Date.now }),
  );
  console.log(`restored commit ${commit} to ${request.target}, as a new data set`);
  for (const { digest } of missing) tell(`content that is missing or damaged in the backup: ${digest}`);
  if (missing.length > 0) process.exitCode = DAMAGED;
}

async function listBackups(directory: string): Promise<void> {
  exitOnSignals();
  const { listBackups } = await import('./cli/backups/inventory.ts');
  await print([Buffer.from(`${(await listBackups(directory)).join('\n')}\n`)]);
}

async function useCluster(request: ClusterRequest): Promise<void> {
  exitOnSignals();
  const { runClusterCommand } = await import('./cli/cluster/command-runner.ts');
  const { text, damaged } = await withBar((bar, notice) => runClusterCommand(request, bar, notice));
  process.stdout.write(text);
  if (damaged) process.exitCode = DAMAGED;
}

/**
 * The first signal stops the load and keeps the files that are complete; the second one terminates
 * it.
 */
async function loadOffline(request: Extract<Request, { kind: 'load' }>): Promise<void> {
  const { load } = await import('./load/load.ts');
  const interruption = new AbortController();
  onSignal(STOPPING, (signal) => {
    interruption.abort(signal);
    exitOnSignals();
  });
  const showsProgress = process.stderr.isTTY === true;
  const { readContexts } = await import('./startup/context-files.ts');
  const contexts = await readContexts(request.context);
  const { signal } = interruption;
  try {
    console.log(await load({ ...request, contexts, notice: tell, showsProgress, signal }));
  } catch (error) {
    if (!signal.aborted) throw error;
    tell(error instanceof Error ? error.message : String(error));
    process.exitCode = statusOf(signal.reason);
  }
}

async function printHash(): Promise<void> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (password === '') throw new Error('Expected a password on standard input.');
  process.stdout.write(`${await hashPassword(password)}\n`);
}
