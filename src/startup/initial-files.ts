import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Load } from '../config.ts';
import { AppError, fromErrorData } from '../errors.ts';
import type { Pool } from '../pool/pool.ts';
import { formats } from '../rdf/media-types/media-types.ts';
import type { StoreClient } from '../store/main/client.ts';
import type { Operation } from '../store/main/transaction.ts';

/**
 * Loads files at start-up (`--load`), each in one transaction. If a graph is given, the file
 * replaces it, so that loading the file again changes nothing. Otherwise its quads are added.
 */
export async function loadFiles(
  loads: readonly Load[],
  store: StoreClient,
  pool: Pool,
  defaultGraph: string,
): Promise<void> {
  for (const load of loads) {
    await loadFile(load, store, pool, defaultGraph).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      throw new AppError('parse-error', `${load.file}: ${message}`, {}, error);
    });
  }
}

async function loadFile(load: Load, store: StoreClient, pool: Pool, defaultGraph: string): Promise<void> {
  const mediaType = mediaTypeOf(load.file);
  const body = await readFile(load.file);
  const baseIri = load.graph ?? pathToFileURL(load.file).href;
  const info = { group: 'Importer', label: 'RDF import', detail: { file: load.file, format: mediaType } };
  const parsed = await pool.parse({ body, mediaType, gzip: false, baseIri, maxBytes: body.length }, info);
  if (!parsed.ok) throw located(fromErrorData(parsed.error));
  const block = parsed.value;
  const operation: Operation =
    load.graph === undefined
      ? { kind: 'load', defaultGraph, block }
      : { kind: 'replace', graph: load.graph, block };
  const committed = await store.commit({ preconditions: [], operations: [operation] });
  if (!committed.ok) throw fromErrorData(committed.error);
}

/** Returns the media type by the file extension. Error `unsupported-media-type`. */
export function mediaTypeOf(file: string): string {
  const extension = extname(file).slice(1).toLowerCase();
  const format = formats.find((candidate) => candidate.extension === extension);
  if (format) return format.mediaType;
  const known = formats.map((candidate) => `.${candidate.extension}`).join(', ');
  throw new AppError('unsupported-media-type', `the name should end in one of ${known}`);
}

function located(error: AppError): AppError {
  const { line, column } = error.details;
  if (line === undefined) return error;
  return new AppError(
    error.code,
    `line ${line}, column ${column ?? 1}: ${error.message}`,
    error.details,
    error,
  );
}
