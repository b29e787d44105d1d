/**
 * Clients are not dependencies of the project: each is installed once by its own package manager,
 * into a folder that git ignores.
 */
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from './run-command.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const cache = fileURLToPath(new URL('../../../../.cache/sparql-clients', import.meta.url));
const INSTALL_MS = 180_000;

/** Returns the Python of an environment with rdflib, or undefined if it cannot be created. */
export async function pythonWithRdflib(): Promise<string | undefined> {
  const folder = join(cache, 'rdflib');
  const python = join(folder, 'bin', 'python');
  const installed = await installedOnce(folder, [
    ['python3', '-m', 'venv', folder],
    [python, '-m', 'pip', 'install', '--quiet', 'rdflib==7.6.0'],
  ]);
  return installed ? python : undefined;
}

/** Returns the class path of Jena's client. */
export async function jenaArchives(): Promise<string | undefined> {
  const folder = join(cache, 'jena');
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
  const installed = await installedOnce(folder, [['mvn', '-q', '-B', '-f', join(here, 'pom.xml'), ...goal]]);
  return installed ? join(folder, '*') : undefined;
}

/** Returns the folder of an npm package that contains fetch-sparql-endpoint. */
export async function packageWithFetcher(): Promise<string | undefined> {
  const folder = join(cache, 'fetch-sparql-endpoint');
  const options = ['--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts'];
  const installed = await installedOnce(folder, [
    ['npm', 'install', ...options, 'fetch-sparql-endpoint@7.2.0'],
  ]);
  return installed ? folder : undefined;
}

/** Whether the folder exists, after all commands ran successfully. */
async function installedOnce(folder: string, commands: readonly (readonly string[])[]): Promise<boolean> {
  if (existsSync(folder)) return true;
  await mkdir(folder, { recursive: true });
  for (const [command = '', ...args] of commands) {
    const ended = await runCommand(command, args, INSTALL_MS);
    if (ended.status === 0) continue;
    await rm(folder, { recursive: true, force: true });
    return false;
  }
  return true;
}
