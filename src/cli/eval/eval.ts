/**
 * `pathpool eval`: evaluates one program for many start resources, without a server or on a running
 * one, and writes the results.
 */
import type { Config } from '../../config.ts';
import type { ShapeOptions } from '../../ldpath/shapes/format.ts';
import { pathShapes } from '../../ldpath/shapes/program-shapes.ts';
import type { Selection } from '../../pool/evaluation-request.ts';
import { prefixTable } from '../../startup/prefix-file.ts';
import { Output } from '../output.ts';
import { LocalData } from './local.ts';
import type { EvalOptions, FilesSource, ServerSource } from './options.ts';
import { readProgram } from './program-file.ts';
import { Progress } from './progress-bar.ts';
import { RemoteData } from './remote.ts';
import type { BatchResults } from './results.ts';

/**
 * Returns the exit status: 0, or 1 if a start resource has an error or results are missing. Throws
 * errors that prevent the evaluation from starting.
 */
export async function evaluateFiles(options: EvalOptions, config: Config): Promise<number> {
  const { source, out: file, shape } = options;
  const evaluate = await (source.kind === 'server'
    ? onServer(source, shape, config)
    : onFiles(source, shape, config));
  const output = await Output.open(file, say);
  // A progress bar and lines on the same terminal would overwrite each other.
  const showsProgress = process.stderr.isTTY === true && (file !== undefined || !process.stdout.isTTY);
  return evaluate({ output, file, showsProgress });
}

/** Evaluates and writes the results; returns the exit status. */
type Evaluate = (destination: Destination) => Promise<number>;

async function onServer(
  source: ServerSource,
  shape: ShapeOptions | undefined,
  config: Config,
): Promise<Evaluate> {
  const { program, url, authorization, starts } = source;
  const server = new RemoteData(url, authorization, say);
  const isDocuments = shape !== undefined && shape.format !== 'values';
  if (program.kind === 'stored') {
    const selection = { name: program.name, ...shape };
    const frame = isDocuments ? pathShapes(shape).listed.frame : undefined;
    return async (destination) => writeResults(await server.evaluate(selection, starts, frame), destination);
  }
  const prefixes = (await server.prefixes()) ?? prefixTable(url, config.prefix);
  const checked = await readProgram(program.file, prefixes, shape, say);
  const selection = { program: checked.source, ...shape };
  const frame = isDocuments ? checked.frame : undefined;
  return async (destination) => writeResults(await server.evaluate(selection, starts, frame), destination);
}

async function onFiles(
  { program, files, starts }: FilesSource,
  shape: ShapeOptions | undefined,
  config: Config,
): Promise<Evaluate> {
  const base = config.base ?? `http://localhost:${config.port}`;
  const { source, frame } = await readProgram(program, prefixTable(base, config.prefix), shape, say);
  const selection: Selection = { mode: 'program', source, ...shape };
  return async (destination) => {
    const { showsProgress } = destination;
    const data = await LocalData.load(files, config, base, { notice: say, showsProgress });
    try {
      return await writeResults(await data.evaluate(selection, frame, starts), destination);
    } finally {
      await data.close();
    }
  };
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
