import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { deeperThan } from '../base/json/bytes.ts';
import { firstInvalidByte } from '../base/json/invalid-byte.ts';
import type { ContextFile } from '../config.ts';
import { MAX_JSON_DEPTH } from '../rdf/formats/json-depth.ts';
import { positionOfByte } from '../rdf/formats/position.ts';

/** The contexts of the W3C and of schema.org have 200 KiB at most. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads the files of `--context`. Returns the values of `@context` as JSON, by the IRIs of the
 * contexts. Throws an error whose one-line message says what is wrong with which file.
 */
export async function readContexts(files: readonly ContextFile[]): Promise<Record<string, string>> {
  const contexts: Record<string, string> = {};
  for (const { iri, file } of files) {
    if (Object.hasOwn(contexts, iri)) throw new Error(`--context ${iri} is given twice.`);
    contexts[iri] = await readContext(file).catch((error: Error) => {
      throw new Error(`--context ${iri}=${file}: ${error.message}`);
    });
  }
  return contexts;
}

async function readContext(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > MAX_BYTES) throw new Error(`the file has ${size} bytes, but a context may have ${MAX_BYTES}.`);
  const document = documentIn(await readFile(file));
  const hasContext = typeof document === 'object' && document !== null && '@context' in document;
  if (!hasContext) throw new Error('the file is no JSON object with the key "@context".');
  return JSON.stringify(document['@context']);
}

function documentIn(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new Error('the file is not UTF-8.');
  if (deeperThan(MAX_JSON_DEPTH, bytes) >= 0) throw new Error(`nested deeper than ${MAX_JSON_DEPTH} levels.`);
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    const { line, column } = positionOfByte(bytes, firstInvalidByte(bytes));
    throw new Error(`the file is not JSON (line ${line}, column ${column}).`);
  }
}
