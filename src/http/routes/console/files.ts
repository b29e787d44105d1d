import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { codeRoot, runsFromSource } from '../../../base/code-root.ts';
import { type StaticBody, staticBody } from '../../static-response.ts';

const types: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['txt', 'text/plain; charset=utf-8'],
]);

/** The content codings in which the build has written the files, the best one first. */
export const fileCodings = ['br', 'gzip'] as const;
export type FileCoding = (typeof fileCodings)[number];
const extensions: Readonly<Record<FileCoding, string>> = { br: '.br', gzip: '.gz' };

/** A file name that the build gives. It can't lead out of the folder. */
const fileName = /^[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[a-z]+)*\.([a-z]+)$/;

/** Where the build writes the files. */
const built = new URL(runsFromSource ? 'dist/console/' : 'console/', codeRoot);

/** The files of the console, each of which is read once, when it is first requested. */
export class ConsoleFiles {
  readonly #folder: URL | undefined;
  readonly #bodies = new Map<string, Promise<StaticBody>>();

  /** `folder`: where they are; undefined if the console has not been built. */
  constructor(folder = builtFolder()) {
    this.#folder = folder;
  }

  /** Returns the page, or undefined if the console has not been built. */
  page(coding: FileCoding | undefined): Promise<StaticBody | undefined> {
    return this.#read('index.html', coding, 'no-cache');
  }

  /** Returns a script or a style sheet. Its name changes with its content, so it may be kept. */
  asset(name: string, coding: FileCoding | undefined): Promise<StaticBody | undefined> {
    return this.#read(`assets/${name}`, coding, 'public, max-age=31536000, immutable');
  }

  async #read(path: string, coding: FileCoding | undefined, cache: string): Promise<StaticBody | undefined> {
    const type = types.get(fileName.exec(path.slice(path.indexOf('/') + 1))?.[1] ?? '');
    if (type === undefined || this.#folder === undefined) return undefined;
    const file = new URL(path + (coding ? extensions[coding] : ''), this.#folder);
    // Files of some bytes have no compressed form.
    if (!existsSync(file)) return coding && this.#read(path, undefined, cache);
    const known = this.#bodies.get(file.href);
    if (known !== undefined) return known;
    const body = readFile(file).then((bytes) => coded(staticBody(type, bytes, cache), coding));
    this.#bodies.set(file.href, body);
    // Another request may find it readable, such as when fewer files are open.
    body.catch(() => this.#bodies.delete(file.href));
    return body;
  }
}

function builtFolder(): URL | undefined {
  return existsSync(new URL('assets/', built)) ? built : undefined;
}

function coded(body: StaticBody, coding: FileCoding | undefined): StaticBody {
  const headers = [...body.headers, ['Vary', 'Accept-Encoding'] as const];
  return { ...body, headers: coding ? [...headers, ['Content-Encoding', coding] as const] : headers };
}
