import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { codeRoot, runsFromSource } from '../../../base/code-root.ts';
import { startScript } from './page.ts';

interface ViewerFile {
  readonly type: string;
  readonly body: string | Uint8Array;
}

const scriptType = 'text/javascript; charset=utf-8';

/** Files of the package swagger-ui-dist, with their media types. */
const packaged: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', scriptType],
]);

/**
 * Where they are: the build copies them, so that an installation has no more of the package than
 * these. The source runs with the package itself.
 */
const folder = new URL(runsFromSource ? 'node_modules/swagger-ui-dist/' : 'viewer/', codeRoot);

/** Returns a file of the page, or undefined if it has no such file. */
export async function viewerFile(name: string): Promise<ViewerFile | undefined> {
  if (name === 'start.js') return { type: scriptType, body: startScript };
  const type = packaged.get(name);
  const url = new URL(name, folder);
  return type === undefined || !existsSync(url) ? undefined : { type, body: await readFile(url) };
}
