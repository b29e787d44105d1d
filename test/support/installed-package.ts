import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { projectFile } from './project.ts';

export const run = promisify(execFile);

interface PackedFile {
  readonly path: string;
  readonly size: number;
}

export interface Tarball {
  readonly file: string;
  readonly paths: readonly string[];
  /** Bytes, unpacked. */
  readonly size: number;
}

/** Runs `npm pack` in a folder, with the given options of npm. */
export async function packIn(folder: string, target: string, options: readonly string[]): Promise<Tarball> {
  const args = ['pack', '--json', '--loglevel=error', '--pack-destination', target, ...options];
  const { stdout } = await run('npm', args, { cwd: folder });
  const [packed] = JSON.parse(stdout) as { filename: string; unpackedSize: number; files: PackedFile[] }[];
  return {
    file: join(target, packed!.filename),
    paths: packed!.files.map(({ path }) => path),
    size: packed!.unpackedSize,
  };
}

/**
 * Makes a folder in which a tarball is installed with the dependencies that it needs at run time,
 * and types for those. As `npm install` would, but without a registry: the dependencies are links.
 */
export async function installIn(folder: string, tarball: Tarball): Promise<void> {
  const modules = join(folder, 'node_modules');
  const target = join(modules, 'pathpool');
  mkdirSync(target, { recursive: true });
  await run('tar', ['-xzf', tarball.file, '-C', target, '--strip-components=1']);
  for (const name of [...runtimeDependencies(), '@types/n3', '@types/node', '@rdfjs/types', 'undici-types']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(projectFile(`node_modules/${name}`), join(modules, name));
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
}

/**
 * The packages at the top of `node_modules` that are installed without development dependencies.
 */
function runtimeDependencies(): string[] {
  const lock = JSON.parse(readFileSync(projectFile('package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const present = new Set(readdirSync(projectFile('node_modules')));
  return Object.entries(lock.packages)
    .filter(([, { dev }]) => !dev)
    .map(([path]) => path.replace('node_modules/', ''))
    .filter((name) => present.has(name.split('/')[0]!) && !name.includes('node_modules'));
}

/** Copies what a fresh clone has, with links to the installed dependencies, as after `npm ci`. */
export function cloneTo(folder: string): void {
  const files = [
    'src',
    'workers',
    'bench',
    'docs',
    'deploy',
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'README.md',
    'ARCHITECTURE.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'test/conformance/ldp-suite/report.md',
    'test/conformance/ldpath-differences.md',
    '.npmrc',
  ];
  for (const file of files) cpSync(projectFile(file), join(folder, file), { recursive: true });
  symlinkSync(projectFile('node_modules'), join(folder, 'node_modules'));
}

/** Compiles the modules of a folder as a user would; rejects with the compiler's messages. */
export async function compileIn(folder: string, options: Record<string, unknown>): Promise<void> {
  const compilerOptions = {
    target: 'es2023',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    types: ['node'],
    ...options,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const compiler = projectFile('node_modules/typescript/bin/tsc');
  await run(process.execPath, [compiler, '-p', folder]).catch(({ stdout }: { stdout: string }) => {
    throw new Error(stdout);
  });
}
