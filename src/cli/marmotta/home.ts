import { readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { type Properties, readProperties } from './properties.ts';
import type { Report } from './report.ts';

/** A program of a Solr core of the Linked Media Framework. */
export interface CoreProgram {
  readonly name: string;
  readonly text: string;
}

const SETTINGS_FILE = 'system-config.properties';

/** Marmotta's home directory: its settings, and the files with content. */
export class Home {
  readonly prefixes: ReadonlyMap<string, string>;
  readonly programs: readonly CoreProgram[];
  readonly #directory: string;
  readonly #settings: Properties;

  static async read(directory: string): Promise<Home> {
    const file = join(directory, SETTINGS_FILE);
    const text = await readFile(file, 'latin1').catch((error: unknown) => {
      throw new Error(
        `${file} can't be read: ${String(error)}. --home is the directory with the settings of Marmotta.`,
      );
    });
    return new Home(await realpath(directory), readProperties(text));
  }

  private constructor(directory: string, settings: Properties) {
    this.#directory = directory;
    this.#settings = settings;
    this.prefixes = new Map(
      [...settings].flatMap(([key, [namespace]]) =>
        key.startsWith('prefix.') && namespace ? [[key.slice('prefix.'.length), namespace] as const] : [],
      ),
    );
    this.programs = programsOf(settings);
  }

  /** Says what the settings contain that has no equal here. */
  reportSettings(report: Report): void {
    const keys = [...this.#settings.keys()];
    const users = keys.flatMap((key) => /^user\.([^.]+)\.(?:pwhash|password)$/.exec(key)?.[1] ?? []);
    for (const user of new Set(users)) {
      report.add('skipped', 'users, whose passwords are hashed in another way: use --credentials', user);
    }
    const families = new Set(keys.map((key) => key.split('.')[0]!));
    for (const taken of ['prefix', 'user', 'kiwi']) families.delete(taken);
    const others = keys.filter((key) => families.has(key.split('.')[0]!) && !/^solr\..*\.program$/.test(key));
    for (const key of others) report.add('skipped', 'settings of Marmotta', key);
  }

  /** The file of content outside of `/ldp`, or undefined if it is not in this directory. */
  contentFile(recorded: string): Promise<string | undefined> {
    const [, inside] = /(?:^|[\\/])resources[\\/](.+)$/.exec(recorded) ?? [];
    return inside === undefined
      ? Promise.resolve(undefined)
      : this.#fileBelow('resources', inside.replaceAll('\\', '/'));
  }

  /** The file of a binary of `/ldp`, or undefined if it is not in this directory. */
  async binaryFile(uri: string): Promise<string | undefined> {
    const url = URL.parse(uri);
    // The path as it is written: URL would resolve dots.
    const [, path] = /^https?:\/\/[^/]*\/([^?#]*)/.exec(uri) ?? [];
    if (!url || path === undefined) return undefined;
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    return this.#fileBelow('data', join(`${url.hostname}.${port}`, path));
  }

  /** A dump must not name files elsewhere, not even by a link. */
  async #fileBelow(folder: string, path: string): Promise<string | undefined> {
    const root = resolve(this.#directory, folder);
    const file = await realpath(resolve(root, `./${path}`)).catch(() => undefined);
    if (file === undefined || !file.startsWith(root + sep)) return undefined;
    return (await stat(file)).isFile() ? file : undefined;
  }
}

/** The keys of a core have its name in lower case; the list of cores has it as it is. */
function programsOf(settings: Properties): CoreProgram[] {
  const names = new Map((settings.get('solr.cores') ?? []).map((name) => [name.toLowerCase(), name]));
  return [...settings].flatMap(([key, values]) => {
    const [, name] = /^solr\.(.+)\.program$/.exec(key) ?? [];
    if (name === undefined) return [];
    return [{ name: names.get(name) ?? name, text: values.join(',') }];
  });
}
