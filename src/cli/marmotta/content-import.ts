import { stat } from 'node:fs/promises';
import mime from 'mime/lite';
import type { Report } from './report.ts';
import { isRefusal, reasonOf, type TargetServer } from './target-server.ts';

const UNKNOWN = 'application/octet-stream';
/** Marmotta 3.4 writes whole blocks of this many bytes, and drops what is left at the end. */
const BLOCK = 8192;

/**
 * Uploads content outside of `/ldp`. Marmotta records no media type: it guesses one from the
 * extension of the file, which it chose by the type of the upload.
 */
export async function importContents(
  contents: ReadonlyMap<string, string>,
  server: TargetServer,
  report: Report,
): Promise<void> {
  for (const [resource, file] of contents) {
    const { size } = await stat(file);
    if (size === 0) {
      report.add(
        'skipped',
        'contents that are empty files: Marmotta 3.4 stores no content below 8,192 bytes',
        resource,
      );
      continue;
    }
    const known = mime.getType(file);
    const type = known ?? UNKNOWN;
    const outcome = await server.uploadFile(
      `/content/${type}?uri=${encodeURIComponent(resource)}`,
      file,
      type,
    );
    if (isRefusal(outcome)) {
      report.add('skipped', 'contents that the server refuses', `${resource}: ${reasonOf(outcome)}`);
      continue;
    }
    report.add(outcome ? 'imported' : 'present', 'contents', resource);
    if (size % BLOCK === 0) {
      report.add(
        'changed',
        'contents that may lack their end: Marmotta 3.4 drops what does not fill 8,192 bytes',
        resource,
      );
    }
    if (known === null) report.add('changed', `contents of unknown type, which is ${UNKNOWN}`, resource);
  }
}
