/**
 * `pathpool eval`: evaluates one program for many start resources, without a server or on a running
 * one, and writes lines of JSON.
 */
import type { Config } from '../../config.ts';
import type { Selection } from '../../pool/evaluation-request.ts';
import { prefixTable } from '../../startup/prefix-file.ts';
import { Output } from '../output.ts';
import { LocalData } from './local.ts';
import type { EvalOptions } from './options.ts';
import { readProgram } from './program-file.ts';
import { Progress } from './progress-bar.ts';
import { RemoteData } from './remote.ts';
import type { BatchResults } from './results.ts';

/**
 * Returns the exit status: 0, or 1 if a start resource has an error or results are missing. Throws
 * errors that prevent the evaluation from starting.
 */
export async function evaluateFiles(options: EvalOptions, config: Config): Promise<number> {
  const { source } = options;
  const base = source.kind === 'server' ? source.url : (config.base ?? `http://localhost:${config.port}`);
  const program = await readProgram(options.program, prefixTable(base, config.prefix), say);
  const selection: Selection = { mode: 'program', source: program };
  const file = options.out;
  const output = await Output.open(file, say);
  // A progress bar and lines on the same terminal would overwrite each other.
  const showsProgress = process.stderr.isTTY === true && (file !== undefined || !process.stdout.isTTY);
  const destination: Destination = { output, file, showsProgress };
  if (source.kind === 'server') {
    const server = new RemoteData(source.url, source.authorization);
    return writeResults(await server.evaluate(selection, source.starts), destination);
  }
  const data = await LocalData.load(source.files, config, base, { notice: say, showsProgress });
  try {
    return await writeResults(await data.evaluate(selection, source.starts), destination);
  } finally {
    await data.close();
  }
}

interface Destination {
  readonly output: Output;
  /** The name of the output file, if it is one. */
  readonly file: string | undefined;
  readonly showsProgress: boolean;
}

async function writeResults({ total, chunks }: BatchResults, destination: Destination): Promise<number> {
  const { output, file, showsProgress } = destination;
  const progress = new Progress(total, showsProgress);
  let failure: string | undefined;
  try {
    for await (const { bytes, count, errors } of chunks) {
      await output.write(bytes);
      progress.add(count, errors);
    }
    await output.close();
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
    output.discard();
  }
  progress.end();
  if (failure !== undefined) say(failure);
  if (failure !== undefined && file !== undefined) say(`${file} was not written`);
  say(progress.summary());
  return failure !== undefined || progress.errors > 0 ? 1 : 0;
}

function say(message: string): void {
  process.stderr.write(`pathpool: ${message}\n`);
}
