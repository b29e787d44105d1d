/**
 * Every setting once: flag, environment name, default, explanation, check. The command line, `--help` and the
 * README's table come from here; everything beyond receives a filled, frozen `Config`.
 */
import { isIP } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';
import { hostNameOf } from './http/host-name.ts';
import { isAbsoluteIri } from './http/iri.ts';

/** A setting's text that can't be accepted; the message says what would be. */
export class SettingError extends Error {}

export interface Setting<T> {
  /** `--flag <argument>`; without an argument a switch. */
  readonly flag: string;
  readonly argument?: string;
  /** Given several times, the values add up. In the environment they stand between commas. */
  readonly repeatable?: true;
  readonly default: T;
  /** The default as people read it, where it is not the value's own text. */
  readonly shownDefault?: string;
  readonly explanation: string;
  readonly read: (text: string) => T;
}

/** A file to load at start, and the graph to put it into. */
export interface Load {
  readonly file: string;
  readonly graph: string | undefined;
}

/** A prefix and its namespace. */
export type PrefixSetting = readonly [prefix: string, namespace: string];

const KIB = 1024;
const MIB = KIB * KIB;
const GIB = KIB * MIB;

export const settings = {
  port: number('port', 'NUMBER', 8080, 0, 65_535, 'Port to listen on; 0 takes a free one.'),
  host: text('host', 'ADDRESS', '127.0.0.1', 'Address to listen on.'),
  base: {
    flag: 'base',
    argument: 'URL',
    default: undefined,
    shownDefault: 'http(s)://localhost:PORT',
    explanation:
      'External base URL, without a slash at its end. All URIs that the server makes begin with it, and a data directory records it.',
    read: readBase,
  } satisfies Setting<string | undefined> as Setting<string | undefined>,
  baseChange: choice(
    'base-change',
    'WHAT',
    'refuse',
    ['refuse', 'accept', 'migrate'],
    'What a start does when the data directory has names of another base: refuse it, accept the old names as they are, or migrate them to the new base.',
  ),
  data: text('data', 'DIRECTORY', './data', 'Data directory; made when it does not exist.'),
  memory: flag(
    'memory',
    'Keeps everything in memory only: nothing is written, nothing outlives the process.',
  ),
  threads: number(
    'threads',
    'NUMBER',
    availableParallelism(),
    1,
    256,
    'Worker threads for LDPath, parsing and serialising.',
    'one a core',
  ),
  load: {
    flag: 'load',
    argument: 'FILE[=GRAPH]',
    repeatable: true,
    default: [] as readonly Load[],
    shownDefault: 'none',
    explanation:
      'RDF file to load at start. With =GRAPH it takes the place of that named graph; without, quads are added to the graphs that they name, triples to the default context.',
    read: (value: string): readonly Load[] => [readLoad(value)],
  } satisfies Setting<readonly Load[]>,
  recover: flag(
    'recover',
    'Opens a data directory whose journal is damaged: keeps all before the damage, moves the rest aside.',
  ),
  allowHost: {
    flag: 'allow-host',
    argument: 'HOST',
    repeatable: true,
    default: [] as readonly string[],
    shownDefault: 'none',
    explanation:
      "Host name under which the server answers without credentials, beside loopback and the base's; under others it gives 421.",
    read: (value: string): readonly string[] => [readHost(value)],
  } satisfies Setting<readonly string[]>,
  allowOrigin: {
    flag: 'allow-origin',
    argument: 'ORIGIN',
    repeatable: true,
    default: [] as readonly string[],
    shownDefault: 'none',
    explanation:
      "Origin whose web pages may read and write (CORS), beside the server's own; * lets the pages of all origins read.",
    read: (value: string): readonly string[] => [readOrigin(value)],
  } satisfies Setting<readonly string[]>,
  trustedProxy: {
    flag: 'trusted-proxy',
    argument: 'CIDR',
    repeatable: true,
    default: [] as readonly string[],
    shownDefault: 'none',
    explanation:
      'Address or network (10.0.0.0/8) of proxies whose Forwarded and X-Forwarded-For say who the client is.',
    read: (value: string): readonly string[] => [readNetwork(value)],
  } satisfies Setting<readonly string[]>,
  compress: flag('compress', 'Compresses replies of text (gzip) for clients that accept it.'),
  logLevel: choice(
    'log-level',
    'LEVEL',
    'warn',
    ['silent', 'error', 'warn', 'info', 'debug'],
    'What is logged, as JSON lines on standard error; from info on a line for each request.',
  ),
  credentials: file(
    'credentials',
    'File of credentials, one a line: ROLE NAME HASH. With credentials, nobody else is let in.',
  ),
  credential: {
    flag: 'credential',
    argument: 'CREDENTIAL',
    repeatable: true,
    default: [] as readonly string[],
    shownDefault: 'none',
    explanation: "One more credential: 'ROLE NAME HASH', ROLE read or write, HASH from hash-password.",
    read: (value: string): readonly string[] => [readText(value)],
  } satisfies Setting<readonly string[]>,
  publicRead: flag('public-read', 'Lets everybody read; credentials are needed for writing only.'),
  open: flag('open', 'Allows to listen beyond loopback without credentials: for everybody who can connect.'),
  failedLogins: number(
    'failed-logins',
    'NUMBER',
    10,
    1,
    100_000,
    'Failed logins a minute from one address, beyond which it gets 429.',
  ),
  requestRate: number(
    'request-rate',
    'NUMBER',
    0,
    0,
    1_000_000,
    'Requests a second from one address (ten times as many at once), beyond which it gets 429; 0 for any number.',
  ),
  tlsCert: file(
    'tls-cert',
    'PEM file of the certificate chain; with --tls-key, the server speaks HTTPS only.',
  ),
  tlsKey: file('tls-key', 'PEM file of the private key.'),
  maxRdfBody: bytes('max-rdf-body', 64 * MIB, 'Size of an RDF request body, decoded.'),
  maxContent: bytes('max-content', GIB, 'Size of the content of one resource.'),
  putMode: choice(
    'put-mode',
    'MODE',
    'redirect',
    ['redirect', 'direct'],
    'What PUT at /resource does: names the place for the data, or stores them at once, as clients of the reference system need.',
  ),
  defaultRel: choice(
    'default-rel',
    'REL',
    'meta',
    ['meta', 'content'],
    'What a Content-Type without rel means in PUT at /resource.',
  ),
  ldpModel: choice(
    'ldp-model',
    'MODEL',
    'rdfsource',
    ['rdfsource', 'container'],
    'What RDF becomes below /ldp when neither the request nor the RDF says what it is to be.',
  ),
  ldpIfMatch: choice(
    'ldp-if-match',
    'WHEN',
    'required',
    ['required', 'optional'],
    'Whether PUT upon what exists below /ldp must say which state of it the client has seen.',
  ),
  maxPatch: bytes('max-patch', MIB, 'Size of the body of a PATCH.'),
  maxProgram: bytes('max-program', 256 * KIB, 'Size of an LDPath program or path.'),
  maxQuery: bytes('max-query', MIB, 'Size of the text of a SPARQL query.'),
  maxBodiesHeld: bytes('max-bodies-held', GIB, 'Size of all request bodies held at once.'),
  maxAnswersHeld: bytes(
    'max-answers-held',
    512 * MIB,
    'Size of all answers held at once for clients that take them slowly; of streamed ones as much again.',
  ),
  bodyTime: seconds('body-time', 30, 'Seconds between two pieces of a request body.'),
  evaluationTime: seconds('evaluation-time', 30, 'Seconds for one LDPath evaluation.'),
  evaluationSteps: number(
    'evaluation-steps',
    'NUMBER',
    10_000_000,
    1,
    1_000_000_000,
    'Steps (look-ups, tests and calls) of one LDPath evaluation.',
  ),
  evaluationTerms: number(
    'evaluation-terms',
    'NUMBER',
    1_000_000,
    1,
    100_000_000,
    'Terms that one LDPath evaluation may hold in its lists.',
  ),
  maxResult: bytes('max-result', 64 * MIB, 'Size of the result of one LDPath evaluation.'),
  maxBatchBody: bytes('max-batch-body', 16 * MIB, 'Size of the request body of an LDPath batch.'),
  batchUris: number('batch-uris', 'NUMBER', 10_000, 1, 1_000_000, 'Start resources in one LDPath batch.'),
  debugUris: number('debug-uris', 'NUMBER', 1_000, 1, 100_000, 'Start resources in one /ldpath/debug.'),
  parseTime: seconds('parse-time', 300, 'Seconds for reading one RDF document.'),
  ldpathQueue: number(
    'ldpath-queue',
    'NUMBER',
    4096,
    1,
    1_000_000,
    'LDPath evaluations that may wait: of programs that have proved quick, and as many of others.',
  ),
  heavyQueue: number(
    'heavy-queue',
    'NUMBER',
    256,
    1,
    1_000_000,
    'Jobs that may wait in each of the other queues (parsing, serialising, maintenance).',
  ),
  sparqlThreads: number(
    'sparql-threads',
    'NUMBER',
    2,
    0,
    64,
    'Threads for SPARQL, each with the data in a form of its own; 0 for no SPARQL.',
  ),
  sparqlDefaultGraph: choice(
    'sparql-default-graph',
    'WHICH',
    'union',
    ['union', 'default'],
    'What SPARQL takes for the default graph when a request names none: the union of all graphs, or the default context.',
  ),
  sparqlTime: seconds('sparql-time', 30, 'Seconds for one SPARQL query or update.'),
  sparqlMax: bytes(
    'sparql-max',
    3 * GIB,
    'Memory of one SPARQL thread (about 330 bytes a triple, and what a query needs); data that do not fit are not offered.',
    4 * GIB,
  ),
  sparqlResult: bytes('sparql-result', 64 * MIB, 'Size of the result of one SPARQL query.'),
  sparqlQueue: number(
    'sparql-queue',
    'NUMBER',
    1024,
    1,
    1_000_000,
    'SPARQL requests that may wait: quick ones, and as many of others.',
  ),
  sparqlIdle: seconds('sparql-idle', 300, 'Seconds after which an idle SPARQL thread is ended.'),
  threadHeap: bytes('thread-heap', 1024 * MIB, 'Heap of one worker thread.'),
  prefix: {
    flag: 'prefix',
    argument: 'PREFIX=NAMESPACE',
    repeatable: true,
    default: [] as readonly PrefixSetting[],
    shownDefault: 'none',
    explanation:
      'Prefix that LDPath programs need not declare, beside those that are built in, or in the place of one of them.',
    read: (value: string): readonly PrefixSetting[] => [readPrefix(value)],
  } satisfies Setting<readonly PrefixSetting[]>,
  keepTasks: flag('keep-tasks', 'Tasks can be looked at only: DELETE below /tasks is refused.'),
  journalMax: bytes(
    'journal-max',
    64 * MIB,
    'Journal size after which a checkpoint is written; at least a quarter of the last one.',
  ),
  dataMax: {
    ...bytes(
      'data-max',
      Math.floor(usableMemory() / 2),
      'Memory that the data may take (about 60 bytes a triple), beyond which nothing is added. As much again is needed for a while when they are put in order.',
      1024 * GIB,
    ),
    shownDefault: 'half of the memory',
  },
};

export type SettingName = keyof typeof settings;
export type Config = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer T> ? T : never;
};

export function environmentName(setting: { readonly flag: string }): string {
  return `PATHPOOL_${setting.flag.toUpperCase().replaceAll('-', '_')}`;
}

/** The default as `--help` and the README show it. */
export function shownDefault(setting: Setting<unknown>): string {
  return setting.shownDefault ?? String(setting.default);
}

/** A filled configuration; what `given` leaves out has its default. */
export function fillConfig(given: Partial<Config>): Config {
  const values = (Object.keys(settings) as SettingName[]).map((name) => [
    name,
    name in given ? given[name] : settings[name].default,
  ]);
  return Object.freeze(Object.fromEntries(values)) as Config;
}

function text(flag: string, argument: string, value: string, explanation: string): Setting<string> {
  return { flag, argument, default: value, explanation, read: readText };
}

function file(flag: string, explanation: string): Setting<string | undefined> {
  return { flag, argument: 'FILE', default: undefined, shownDefault: 'none', explanation, read: readText };
}

function readText(value: string): string {
  if (value === '') throw new SettingError('it is empty');
  return value;
}

function flag(name: string, explanation: string): Setting<boolean> {
  return { flag: name, default: false, explanation, read: readSwitch };
}

function readSwitch(value: string): boolean {
  if (/^(1|true|yes|on)$/i.test(value)) return true;
  if (/^(0|false|no|off|)$/i.test(value)) return false;
  throw new SettingError('say true or false');
}

function number(
  flag: string,
  argument: string,
  value: number,
  least: number,
  most: number,
  explanation: string,
  shownDefault = String(value),
): Setting<number> {
  const read = (given: string) => {
    const parsed = Number(given);
    if (/^\d+$/.test(given) && parsed >= least && parsed <= most) return parsed;
    throw new SettingError(`say a whole number from ${least} to ${most}`);
  };
  return { flag, argument, default: value, shownDefault, explanation, read };
}

function seconds(flag: string, value: number, explanation: string): Setting<number> {
  const read = (given: string) => {
    const parsed = Number(given);
    if (given !== '' && parsed > 0 && parsed <= 86_400) return parsed;
    throw new SettingError('say a number of seconds above 0, at most 86400');
  };
  return { flag, argument: 'SECONDS', default: value, explanation, read };
}

/** Bytes that this process may use, as far as the system says. */
function usableMemory(): number {
  // Zero or an immense number where there is no constraint.
  const constrained = process.constrainedMemory();
  return constrained ? Math.min(constrained, totalmem()) : totalmem();
}

const units: Readonly<Record<string, number>> = { '': 1, b: 1, kib: KIB, mib: MIB, gib: GIB };

function bytes(flag: string, value: number, explanation: string, most = 64 * GIB): Setting<number> {
  const shown = value >= GIB ? `${value / GIB}GiB` : value >= MIB ? `${value / MIB}MiB` : `${value / KIB}KiB`;
  const read = (given: string) => readBytes(given, most);
  return { flag, argument: 'SIZE', default: value, shownDefault: shown, explanation, read };
}

function readBytes(given: string, most: number): number {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(given) ?? [];
  const factor = units[unit.toLowerCase()];
  const size = Math.floor(Number(digits) * (factor ?? Number.NaN));
  if (size > 0 && size <= most) return size;
  throw new SettingError(`say a size such as 65536, 256KiB, 64MiB or 1GiB, at most ${most / GIB}GiB`);
}

function choice<T extends string>(
  flag: string,
  argument: string,
  value: T,
  choices: readonly T[],
  explanation: string,
): Setting<T> {
  const read = (given: string) => {
    if ((choices as readonly string[]).includes(given)) return given as T;
    throw new SettingError(`say one of ${choices.join(', ')}`);
  };
  const shown = `${explanation} One of ${choices.join(', ')}.`;
  return { flag, argument, default: value, explanation: shown, read };
}

function readBase(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const plain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username;
  if (!plain || !isAbsoluteIri(given)) {
    throw new SettingError('say an http or https URL without query, fragment and white space');
  }
  return given.replace(/\/+$/, '');
}

function readHost(given: string): string {
  const text = readText(given);
  const name = hostNameOf(isIP(text) === 6 ? `[${text}]` : text);
  if (name === undefined) throw new SettingError('say a host name or an IP address');
  return name;
}

/** Browser extensions and desktop apps have schemes of their own; `URL` knows no origin of them. */
function readOrigin(given: string): string {
  if (readText(given) === '*') return given;
  if (/^https?:/i.test(given) && URL.canParse(given) && new URL(given).href === `${new URL(given).origin}/`)
    return new URL(given).origin;
  if (/^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+$/.test(given)) return given;
  throw new SettingError('say an origin such as https://app.example, or *');
}

function readNetwork(given: string): string {
  const [address = '', prefix, ...more] = given.split('/');
  const bits = address.includes('%') ? undefined : { 4: 32, 6: 128 }[isIP(address)];
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (bits ?? 0));
  if (bits !== undefined && isPrefix && more.length === 0) return given;
  throw new SettingError('say an IP address or a network such as 10.0.0.0/8 or fd00::/8');
}

function readLoad(given: string): Load {
  const split = /^(.+?)=([a-z][a-z0-9+.-]*:.*)$/is.exec(given);
  return split
    ? { file: split[1] as string, graph: split[2] as string }
    : { file: readText(given), graph: undefined };
}

function readPrefix(given: string): PrefixSetting {
  const [, prefix, namespace] =
    /^([a-z][a-z0-9_-]*)=([a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]*)$/i.exec(given) ?? [];
  if (prefix !== undefined && namespace !== undefined) return [prefix, namespace];
  throw new SettingError('say PREFIX=NAMESPACE, such as ex=http://example.org/terms#');
}
