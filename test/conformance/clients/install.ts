/**
 * Clients, and servers to which we write, are not dependencies of the project: each is installed
 * once by its own package manager, into a folder that git ignores.
 */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { projectFile } from '../../support/project.ts';
import { cacheFolder } from '../checkout.ts';
import { runCommand } from './run-command.ts';

const cache = cacheFolder('clients');
const INSTALL_MS = 180_000;
const RUN_MS = 120_000;

/** A client that is installed, with the programs in its folder beside this file. */
interface Installed {
  /** Runs the program of that name, and returns what it printed. Throws if the program fails. */
  run(program: string, ...args: readonly string[]): Promise<string>;
}

/** Archives of Java. */
interface InstalledJava extends Installed {
  /** Returns the command that runs the program of that name. */
  command(program: string, ...args: readonly string[]): readonly [string, ...string[]];
}

type Missing = { readonly missing: string };

/** Programs in Python, in an environment with rdflib. */
export async function rdflibPrograms(): Promise<Installed | Missing> {
  const folder = join(cache, 'rdflib');
  const python = join(folder, 'bin', 'python');
  const installed = await installedOnce(folder, [
    ['python3', '-m', 'venv', folder],
    [python, '-m', 'pip', 'install', '--quiet', 'rdflib==7.6.0'],
  ]);
  if (!installed) return { missing: 'Python is missing, or could not install rdflib' };
  return { run: (program, ...args) => output(python, [fileOf('rdflib', program), ...args]) };
}

/** Programs in Java, of a folder whose `pom.xml` names the archives that they need. */
export async function javaPrograms(
  name: 'jena' | 'kiwi' | 'marmotta' | 'solr',
): Promise<InstalledJava | Missing> {
  const folder = join(cache, name);
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
  const installed = await installedOnce(folder, [
    ['mvn', '-q', '-B', '-f', fileOf(name, 'pom.xml'), ...goal],
    ['javac', '-version'],
  ]);
  if (!installed) return { missing: 'Maven or a JDK is missing, or Maven could not fetch the archives' };
  const argumentsOf = (program: string, args: readonly string[]) => {
    return [...optionsOf(name), '-cp', join(folder, '*'), fileOf(name, program), ...args];
  };
  return {
    run: (program, ...args) => output('java', argumentsOf(program, args)),
    command: (program, ...args) => ['java', ...argumentsOf(program, args)],
  };
}

/** Marmotta's file store uses a class that Java has hidden since. */
function optionsOf(name: string): string[] {
  return name === 'kiwi' ? ['--add-exports=java.base/sun.net.www=ALL-UNNAMED'] : [];
}

/** The exports of a package of npm, or undefined if npm cannot install it. */
export async function npmPackage(name: string, version: string): Promise<unknown> {
  const folder = await npmFolder(name.replaceAll('/', '-'), `${name}@${version}`);
  return folder === undefined ? undefined : createRequire(join(folder, 'package.json'))(name);
}

/** The folder of that name with packages of npm, or undefined if npm cannot install them. */
export async function npmFolder(name: string, ...packages: readonly string[]): Promise<string | undefined> {
  const folder = join(cache, name);
  const options = ['--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts'];
  const installed = await installedOnce(folder, [['npm', 'install', ...options, ...packages]]);
  return installed ? folder : undefined;
}

function fileOf(folder: string, name: string): string {
  return projectFile(`test/conformance/clients/${folder}/${name}`);
}

async function output(command: string, args: readonly string[]): Promise<string> {
  const { status, out, err } = await runCommand(command, args, RUN_MS);
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${err}`);
  return out;
}

/** Whether all commands ran successfully, now or earlier. */
export async function installedOnce(
  folder: string,
  commands: readonly (readonly string[])[],
): Promise<boolean> {
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return true;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [command = '', ...args] of commands) {
    if ((await runCommand(command, args, INSTALL_MS)).status !== 0) return false;
  }
  await writeFile(complete, '');
  return true;
}
