import { closeSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, resolve } from 'node:path';
import type { CST, Document } from 'yaml';
import { firstInvalidByte } from '../../base/json/invalid-byte.ts';
import {
  environmentName,
  type Setting,
  SettingError,
  type SettingName,
  settings,
  type ValueType,
} from '../../config.ts';
import { didYouMean } from '../../ldpath/syntax/suggestion.ts';
import { SCHEMA_KEY, valueSchema } from './json-schema.ts';
import type { Given, Layer } from './sources.ts';

type Yaml = typeof import('yaml');

const require = createRequire(import.meta.url);

const MOST_BYTES = 256 * 1024;

/** The settings, a list of them and its items need two. */
const MOST_LEVELS = 8;

/** Length of the part of a wrong value that an error message repeats, in characters. */
const MOST_SHOWN = 60;

/** A value in the file. */
interface Located {
  /** The key; within a list with the index. */
  readonly path: string;
  readonly value: unknown;
  /** Offset in the text. */
  readonly at: number;
}

/**
 * Reads a file of settings: JSON or YAML, by its extension. Relative paths in it begin at its
 * directory. Throws a `SettingError` with the file, line and column.
 */
export function readConfigFile(file: string): Layer {
  const extension = extname(file).toLowerCase();
  if (!['.json', '.yaml', '.yml'].includes(extension)) {
    throw new SettingError(`the name of the config file ${file} should end in .json, .yaml or .yml`);
  }
  const text = readBounded(file);
  if (extension === '.json') requireJson(text, file);
  return new Reader(file).read(text);
}

class Reader {
  /** Loaded only for a config file: its 70 files would slow down each start and command. */
  readonly #yaml = require('yaml') as Yaml;
  readonly #file: string;
  readonly #directory: string;
  readonly #lines = new this.#yaml.LineCounter();

  constructor(file: string) {
    this.#file = file;
    this.#directory = dirname(resolve(file));
  }

  read(text: string): Layer {
    this.#requireShallow(text);
    const document = this.#yaml.parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    const [wrong] = [...document.errors, ...document.warnings];
    if (wrong) throw this.#error(wrong.pos[0], wrong.message);
    const { contents } = document;
    const { isMap, isScalar } = this.#yaml;
    if (!isMap(contents)) {
      if (contents === null || (isScalar(contents) && contents.value === null)) return new Map();
      throw this.#error(0, 'expected the names of settings with their values');
    }
    const layer = new Map<SettingName, Given>();
    for (const { key, value } of contents.items) {
      const name = this.#located(document, key, '');
      if (name.value === SCHEMA_KEY) continue;
      const setting = this.#nameOf(name);
      const source = { kind: 'file', at: this.#place(name.at) } as const;
      layer.set(setting, { value: this.#valueOf(settings[setting], document, value ?? key), source });
    }
    return layer;
  }

  /** The parser of documents would exhaust the stack, in which Node.js may crash. */
  #requireShallow(text: string): void {
    const open: [token: CST.Token, level: number][] = [];
    for (const token of new this.#yaml.Parser().parse(text)) open.push([token, 0]);
    for (let next = open.pop(); next; next = open.pop()) {
      const [token, level] = next;
      if (level > MOST_LEVELS) throw new SettingError(`${this.#file}: settings are not nested so deeply`);
      if (token.type === 'document' && token.value) open.push([token.value, level]);
      if (!('items' in token)) continue;
      for (const { key, value } of token.items) {
        for (const child of [key, value]) if (child) open.push([child, level + 1]);
      }
    }
  }

  #nameOf({ value, at }: Located): SettingName {
    const found = Object.entries(settings).find(([, { flag }]) => flag === value);
    if (found) return found[0] as SettingName;
    const flags = [SCHEMA_KEY, ...Object.values(settings).map(({ flag }) => flag)];
    throw this.#error(at, `unknown setting ${brief(value)}${didYouMean(String(value), flags)}`);
  }

  #valueOf(setting: Setting<unknown>, document: Document, node: unknown): unknown {
    const { flag, repeatable, environmentOnly } = setting;
    const given = this.#yaml.isAlias(node) ? (node.resolve(document) ?? node) : node;
    const locate = (value: unknown, path: string) => this.#located(document, value, path);
    if (environmentOnly) {
      const reason = `set ${environmentName(setting)} in the environment instead`;
      throw this.#invalid(setting, locate(given, flag), reason);
    }
    if (!repeatable) return this.#read(setting, locate(given, flag));
    if (!this.#yaml.isSeq(given)) throw this.#invalid(setting, locate(given, flag), 'expected a list');
    return given.items.flatMap((item, i) => this.#read(setting, locate(item, `${flag}[${i}]`)));
  }

  #located(document: Document, node: unknown, path: string): Located {
    if (!this.#yaml.isNode(node)) return { path, value: null, at: 0 };
    const at = node.range?.[0] ?? 0;
    try {
      return { path, value: node.toJS(document), at };
    } catch (error) {
      // The alias of no anchor, or too many aliases of aliases.
      throw error instanceof ReferenceError ? this.#error(at, error.message) : error;
    }
  }

  #read(setting: Setting<unknown>, given: Located): unknown {
    const { type } = valueSchema(setting);
    const types: readonly ValueType[] = typeof type === 'string' ? [type] : type;
    if (!types.some((each) => isOf(each, given.value))) {
      throw this.#invalid(setting, given, `expected ${types.map((each) => typeNames[each]).join(' or ')}`);
    }
    try {
      return setting.read(String(given.value), this.#directory);
    } catch (error) {
      throw error instanceof SettingError ? this.#invalid(setting, given, error.message) : error;
    }
  }

  #invalid(setting: Setting<unknown>, { path, value, at }: Located, reason: string): SettingError {
    const shown = setting.secret || setting.secretIfInvalid ? 'the value' : brief(value);
    return this.#error(at, `${path}: ${shown} is invalid: ${reason}.`);
  }

  #error(at: number, message: string): SettingError {
    return new SettingError(`${this.#place(at)}: ${message}`);
  }

  #place(at: number): string {
    const { line, col } = this.#lines.linePos(at);
    return `${this.#file}:${line}:${col}`;
  }
}

const typeNames: Readonly<Record<ValueType, string>> = {
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  string: 'a text',
};

function isOf(type: ValueType, value: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function brief(value: unknown): string {
  const text = textOf(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return 'a list or map that contains itself';
  }
}

/** YAML contains JSON, and its parser reports places. But it accepts much more. */
function requireJson(text: string, file: string): void {
  try {
    JSON.parse(text);
  } catch {
    const bytes = Buffer.from(text);
    const before = bytes
      .subarray(0, firstInvalidByte(bytes))
      .toString()
      .split(/\r\n|\r|\n/);
    const column = before.at(-1)!.length + 1;
    throw new SettingError(`${file}:${before.length}:${column}: this is not JSON`);
  }
}

function readBounded(file: string): string {
  let bytes: Uint8Array;
  try {
    bytes = firstBytes(file, MOST_BYTES + 1);
  } catch (error) {
    throw new SettingError(`the config file ${file} can't be read: ${(error as Error).message}`);
  }
  if (bytes.length > MOST_BYTES) {
    throw new SettingError(`the config file ${file} is larger than ${MOST_BYTES / 1024} KiB`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new SettingError(`the config file ${file} is not UTF-8`);
  }
}

function firstBytes(file: string, most: number): Uint8Array {
  const buffer = Buffer.alloc(most);
  const handle = openSync(file, 'r');
  try {
    let length = 0;
    for (let read = -1; read !== 0 && length < most; length += read) {
      read = readSync(handle, buffer, length, most - length, null);
    }
    return buffer.subarray(0, length);
  } finally {
    closeSync(handle);
  }
}
