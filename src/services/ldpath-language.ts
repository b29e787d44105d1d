import { fromErrorData } from '../errors.ts';
import type { FunctionDescription, LanguageDescription } from '../pool/messages.ts';
import type { Pool } from '../pool/pool.ts';

const FUNCTION_PREFIX = 'fn:';

/**
 * What the language offers (http-api 4.5). A thread is asked once, at the start: the main thread does not load the
 * language, and questions must be answered when the pool is full.
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

  /** By its local name, with or without `fn:`. */
  async function(name: string): Promise<FunctionDescription | undefined> {
    const local = name.startsWith(FUNCTION_PREFIX) ? name.slice(FUNCTION_PREFIX.length) : name;
    return (await this.functions()).find((one) => one.name === local);
  }

  /** IRIs of the types that values can be converted to. */
  async types(): Promise<readonly string[]> {
    return (await this.#describe()).types;
  }

  /** What failed is asked for again. */
  #describe(): Promise<LanguageDescription> {
    this.#description ??= this.#pool.describe().then((result) => {
      if (result.ok) return result.value;
      this.#description = undefined;
      throw fromErrorData(result.error);
    });
    return this.#description;
  }
}
