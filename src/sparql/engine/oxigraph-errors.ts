import { AppError } from '../../errors.ts';
import { isTrap } from '../../rdf/oxigraph/library.ts';
import { OxigraphPanic } from '../../rdf/oxigraph/panic.ts';
import { syntaxMessage } from './syntax-message.ts';

/**
 * Oxigraph is permanently broken: it ran out of memory or stack (`budget-exceeded`), or panicked
 * (`unsupported-sparql`). The cause is the error that it threw.
 */
export class BrokenError extends AppError {}

/** Runs a function that uses Oxigraph, and converts its errors to the server's. */
export function withAppErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw asAppError(error);
  }
}

/** Converts an error thrown by Oxigraph to an error of the server. */
export function asAppError(error: unknown): unknown {
  if (isTrap(error)) {
    const message = 'The query needs more memory than an instance of the SPARQL engine may use.';
    return new BrokenError('budget-exceeded', message, {}, error);
  }
  if (error instanceof OxigraphPanic) return panicError(error);
  if (!(error instanceof Error) || 'code' in error) return tooLongText(error);
  const { message } = error;
  const syntax = /^error at (\d+):(\d+): ([\s\S]*)$/.exec(message);
  if (syntax) return syntaxError(syntax as unknown as [string, string, string, string]);
  if (/^The service .* is not supported$/s.test(message)) return serviceError();
  const custom = /^The custom function (<.*>) is not supported$/s.exec(message);
  return custom ? new AppError('unsupported-sparql', `The function ${custom[1]} is not supported.`) : error;
}

function panicError(panic: OxigraphPanic): BrokenError {
  const message = `The SPARQL engine failed on this text (${panic.message}). It is known to fail when texts with a direction are compared by =, !=, <, > or IN: use sameTerm, or compare STR, LANG and LANGDIR of them.`;
  return new BrokenError('unsupported-sparql', message, {}, panic);
}

function syntaxError([, line, column, expected]: readonly [string, string, string, string]): AppError {
  const message = `The text is not valid SPARQL 1.1: ${syntaxMessage(expected)}.`;
  return new AppError('parse-error', message, { line: Number(line), column: Number(column) });
}

function serviceError(): AppError {
  const message =
    'SERVICE is not supported: this server queries no other servers. (SERVICE SILENT finds nothing.)';
  return new AppError('unsupported-sparql', message);
}

function tooLongText(error: unknown): unknown {
  if ((error as { code?: unknown }).code !== 'ERR_STRING_TOO_LONG') return error;
  return new AppError('too-large', 'The result is too long: request less, for example with LIMIT.');
}
