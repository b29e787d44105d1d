import { AppError, fromErrorData } from '../errors.ts';
import { type Part, PartReader } from './document-parts.ts';
import type { ParsedPart, Parsers } from './parser-threads.ts';
import type { SourceFile } from './source-file.ts';

/** Number of parts in progress for each thread. */
const PARTS_A_THREAD = 3;

/** Yields parsed parts in the order of the files. Errors name the file, line and column. */
export async function* parsedParts(
  parsers: Parsers,
  sources: readonly SourceFile[],
  signal: AbortSignal,
): AsyncGenerator<readonly [Part, ParsedPart]> {
  const reader = new PartReader();
  const waiting: (readonly [Part, ReturnType<Parsers['parse']>])[] = [];
  let lines = 0;
  const first = async () => {
    const [part, parsing] = waiting.shift()!;
    const result = await parsing;
    reader.release(part);
    signal.throwIfAborted();
    if (!result.ok) throw about(part.source, fromErrorData(result.error), lines);
    lines = part.isLast ? 0 : lines + result.value.lines;
    return [part, result.value] as const;
  };
  let failure: ReadFailure | undefined;
  for await (const part of withFailure(reader.partsOf(sources))) {
    if ('error' in part) {
      failure = part;
      break;
    }
    const parsing = parsers.parse(part);
    // The error is handled when it is the part's turn.
    parsing.catch(() => {});
    waiting.push([part, parsing]);
    if (waiting.length > PARTS_A_THREAD * parsers.count) yield await first();
  }
  while (waiting.length > 0) yield await first();
  if (failure) throw failure.error;
}

interface ReadFailure {
  readonly error: unknown;
}

/** Yields a read error last, in the place of a part, so that the parts before it are not lost. */
async function* withFailure(parts: AsyncIterable<Part>): AsyncGenerator<Part | ReadFailure> {
  try {
    yield* parts;
  } catch (error) {
    yield { error };
  }
}

/**
 * Returns the error with the name of its file. `lines`: number of lines before the part that the
 * error's line is relative to.
 */
export function about({ loaded }: SourceFile, error: unknown, lines = 0): unknown {
  if (!(error instanceof AppError)) return error;
  const { line, column } = error.details;
  if (line === undefined) {
    return new AppError(error.code, `${loaded.file}: ${error.message}`, error.details, error);
  }
  const details = { ...error.details, line: lines + line };
  const place = `line ${details.line}, column ${column ?? 1}`;
  return new AppError(error.code, `${loaded.file}: ${place}: ${error.message}`, details, error);
}
