import { move, transferableSymbol, valueSymbol } from 'piscina';
import { type Result, toErrorData } from '../src/errors.ts';

/** What a job made, with the buffers that move to the main thread with it. */
export interface Product {
  readonly value: unknown;
  readonly buffers: readonly ArrayBufferLike[];
}

/** What goes back to the main thread: plain data, with buffers that are moved and not copied. */
export function outcome<T>(value: T, buffers: readonly ArrayBufferLike[]): unknown {
  const result: Result<T> = { ok: true, value };
  return move({ [valueSymbol]: result, [transferableSymbol]: buffers } as never);
}

export function failure(error: unknown): Result<never> {
  return { ok: false, error: toErrorData(error) };
}
