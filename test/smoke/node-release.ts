import { join } from 'node:path';
import { cacheFolder } from '../conformance/checkout.ts';
import { installedOnce } from '../conformance/clients/install.ts';

/**
 * The file of a release of Node.js. The package `node` of npm consists of one package for each
 * system, which has nothing but that release; undefined if npm cannot fetch it.
 */
export async function nodeRelease(version: string): Promise<string | undefined> {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(cacheFolder('node'), version);
  const options = ['--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', '--fetch-retries=0'];
  const installed = await installedOnce(folder, [['npm', 'install', ...options, `${name}@${version}`]]);
  return installed ? join(folder, 'node_modules', name, 'bin', 'node') : undefined;
}
