#!/usr/bin/env node
import { text } from 'node:stream/consumers';
import { createApp } from './app.ts';
import { type Request, readCommandLine } from './command-line.ts';
import type { Config } from './config.ts';
import { hashPassword } from './http/password.ts';
import { inspect } from './inspect.ts';
import { createLog } from './log.ts';

const request = readCommandLine(process.argv.slice(2), process.env);
if (request.kind === 'exit') {
  (request.status === 0 ? process.stdout : process.stderr).write(request.text);
  process.exitCode = request.status;
} else {
  await run(request).catch((error: unknown) => {
    process.stderr.write(`pathpool: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  });
}

function run(request: Exclude<Request, { kind: 'exit' }>): Promise<void> {
  switch (request.kind) {
    case 'serve':
      return serve(request.config);
    case 'inspect':
      return show(request.directory, request.record);
    case 'hash-password':
      return printHash();
  }
}

/** Serves until a signal. */
async function serve(config: Config): Promise<void> {
  const app = await createApp(config, createLog(config.logLevel));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void app.close());
  const place = config.memory ? 'in memory' : `data ${config.data}`;
  console.log(
    `pathpool: listening on ${app.url} (${place}, ${config.threads} threads, ${app.quadCount} quads)`,
  );
}

async function show(directory: string, record: number | undefined): Promise<void> {
  process.stdout.write(await inspect(directory, record));
}

async function printHash(): Promise<void> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (password === '') throw new Error('Give a password on standard input.');
  process.stdout.write(`${await hashPassword(password)}\n`);
}
