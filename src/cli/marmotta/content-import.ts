import mime from 'mime/lite';
import type { Report } from './report.ts';
import { isRefusal, reasonOf, type TargetServer } from './target-server.ts';

const UNKNOWN = 'application/octet-stream';

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
    const known = mime.getType(file);
    const type = known ?? UNKNOWN;
    const outcome = await server.uploadFile(
      `/content/${type}?uri=${encodeURIComponent(resource)}`,
      file,
      type,
    );
    if (isRefusal(outcome)) {
      report.add('left', 'contents that the server refuses', `${resource}: ${reasonOf(outcome)}`);
      continue;
    }
    report.add(outcome ? 'taken' : 'present', 'contents', resource);
    if (known === null) report.add('changed', `contents of unknown type, which is ${UNKNOWN}`, resource);
  }
}
