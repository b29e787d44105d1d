import { fromErrorData } from '../../errors.ts';
import type { FunctionDescription, LanguageDescription } from '../../pool/messages.ts';
import type { Pool } from '../../pool/pool.ts';

const FUNCTION_PREFIX = 'fn:';

/**
 * The functions and types of the language (http-api 4.5). A worker is asked once, at start-up: the
 * main thread does not load the language, and requests must be answered even if the pool is full.
 */
export class LanguageService {
  readonly #pool: Pick<Pool, 'describe'>;
  #description: Promise<LanguageDescription> | undefined;

  constructor(pool: Pick<Pool, 'describe'>) {
    this.#pool = pool;
    void this.#describe().catch(() => {});
  }

  async functions(): Promise<readonly FunctionDescription[]> {
    return (await this.#describe()).functions;
  }

  /** Finds a function by its local name, with or without `fn:`. */
  async function(name: string): Promise<FunctionDescription | undefined> {
    const local = name.startsWith(FUNCTION_PREFIX) ? name.slice(FUNCTION_PREFIX.length) : name;
    return (await this.functions()).find((one) => one.name === local);
  }

  /** IRIs of the types that values can be converted to. */
  async types(): Promise<readonly string[]> {
    return (await this.#describe()).types;
  }

  /** A failed request is repeated at the next call. */
  #describe(): Promise<LanguageDescription> {
    this.#description ??= this.#pool.describe().then((result) => {
      if (result.ok) return result.value;
      this.#description = undefined;
      throw fromErrorData(result.error);
    });
    return this.#description;
  }
}
