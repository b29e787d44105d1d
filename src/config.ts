/**
 * Defines every setting once: flag, environment name, default, explanation, check. The command
 * line, `--help`, the keys of a config file with their JSON Schema, and the table in
 * docs/settings.md are derived from it; all other code receives a complete, frozen `Config`.
 */
import { isIP } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { type JournalPlace, journalUrl, parseJournalUrl } from './cluster/journal-url.ts';
import { type FrontName, frontNames } from './http/fronts/known-fronts.ts';
import { hostNameOf } from './http/middleware/host-name.ts';
import { type ClaimRule, parseClaimRule } from './http/middleware/jwt/claim-rule.ts';
import { isIri } from './rdf/model/iri.ts';
import type { RetentionLimits } from './store/history/retention-limits.ts';

/** An invalid value of a setting; the message says what is expected. */
export class SettingError extends Error {}

/** What a config file may have as a value, or as an item of a list: a part of its JSON Schema. */
export interface ValueSchema {
  readonly type: ValueType | readonly ValueType[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

export type ValueType = 'boolean' | 'integer' | 'number' | 'string';

type SettingUnit = 'bytes' | 'seconds' | 'hours';

interface SettingBase<T> {
  /** `--flag <argument>`, and the key in a config file. Without an argument it is a switch. */
  readonly flag: string;
  readonly argument?: string;
  /** May be given several times; the environment separates the values by commas. */
  readonly repeatable?: true;
  readonly default: T;
  /** The default as documentation shows it, if that is not the text of the value. */
  readonly shownDefault?: string;
  readonly explanation: string;
  /** In a config file; by default a switch is a boolean, and everything else a string. */
  readonly schema?: ValueSchema;
  /** Of a number. */
  readonly unit?: SettingUnit;
  /** The value is never shown. */
  readonly secret?: true;
  /** Messages do not repeat an invalid value: it may contain a password. */
  readonly secretIfInvalid?: true;
  /** The value can be given in the environment only: flags are seen by other users. */
  readonly environmentOnly?: true;
  /** `directory`: that of the config file, which relative paths in it begin at. */
  readonly read: (text: string, directory?: string) => T;
}

/** Returns the text of a value, or of an item of a list. */
interface Shown<Item> {
  show(value: Item): string;
}

type ItemOf<T> = T extends readonly (infer Item)[] ? Item : T;

/** `show` may be left out where `String` returns the text. */
export type Setting<T> = SettingBase<T> &
  ([ItemOf<T>] extends [string | number | boolean | undefined]
    ? Partial<Shown<ItemOf<T>>>
    : unknown extends T
      ? Partial<Shown<unknown>>
      : Shown<ItemOf<T>>);

/** A file to load at start-up, and the graph that it replaces. */
export interface Load {
  readonly file: string;
  readonly graph: string | undefined;
}

/** The IRI of a JSON-LD context, and a file with the document that is there. */
export interface ContextFile {
  readonly iri: string;
  readonly file: string;
}

/** A prefix and its namespace. */
export type PrefixSetting = readonly [prefix: string, namespace: string];

const KIB = 1024;
const MIB = KIB * KIB;
const GIB = KIB * MIB;
const DAY_MS = 86_400_000;
const MOST_SECONDS = 86_400;

export const settings = {
  port: number('port', { value: 8080, least: 0, most: 65_535 }, 'Port to listen on; 0 selects a free one.'),
  host: text('host', 'ADDRESS', '127.0.0.1', 'Address to listen on.'),
  front: {
    flag: 'front',
    argument: 'LIBRARY',
    default: undefined,
    shownDefault: 'uws where it can be loaded, else node',
    explanation:
      'HTTP library: uws (uWebSockets.js, the faster one) or node (node:http, which needs no binary).',
    schema: { type: 'string', enum: frontNames },
    read: (given: string): FrontName => {
      const name = frontNames.find((each) => each === given);
      if (name !== undefined) return name;
      throw new SettingError(`expected one of ${frontNames.join(', ')}`);
    },
  } satisfies Setting<FrontName | undefined> as Setting<FrontName | undefined>,
  base: {
    flag: 'base',
    argument: 'URL',
    default: undefined,
    shownDefault: 'http(s)://localhost:PORT',
    explanation:
      'External base URL, without a trailing slash. Every URI that the server mints begins with it, and the data directory records it.',
    read: readBase,
  } satisfies Setting<string | undefined> as Setting<string | undefined>,
  baseChange: choice(
    'base-change',
    'WHAT',
    { value: 'refuse', choices: ['refuse', 'accept', 'migrate'] },
    'What to do at start-up if names in the data directory begin with another base: refuse to start, accept the old names as they are, or migrate them to the new base.',
  ),
  data: {
    ...text('data', 'DIRECTORY', './data', 'Data directory; created if it does not exist.'),
    read: readPath,
  },
  memory: flag(
    'memory',
    'Keep all data in memory: nothing is written to disk, and nothing outlives the process.',
  ),
  threads: number(
    'threads',
    { value: availableParallelism(), shown: 'one per core', least: 1, most: 256 },
    'Worker threads for LDPath, parsing and serialising.',
  ),
  journal: {
    flag: 'journal',
    argument: 'URL',
    secretIfInvalid: true,
    default: undefined,
    shownDefault: 'in the data directory',
    explanation:
      'Journal that several processes share: nats://HOST:PORT,HOST:PORT,HOST:PORT/NAME, or the same with tls://. The data directory is then a cache of this process; --base is needed.',
    read: readJournal,
    show: journalUrl,
  } satisfies Setting<JournalPlace | undefined> as Setting<JournalPlace | undefined>,
  process: {
    flag: 'process',
    argument: 'NAME',
    default: undefined,
    shownDefault: 'the host name, and random letters',
    explanation: 'Name of this process in its cluster: letters, digits and hyphens.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9-]{1,64}$' },
    read: readProcessName,
  } satisfies Setting<string | undefined> as Setting<string | undefined>,
  clusterUrl: {
    flag: 'cluster-url',
    argument: 'URL',
    default: undefined,
    shownDefault: 'http(s)://HOST:PORT that it listens on',
    explanation: 'Address of this process for the others of its cluster, without a path.',
    read: readOwnUrl,
  } satisfies Setting<string | undefined> as Setting<string | undefined>,
  clusterRedirect: flag(
    'cluster-redirect',
    'Redirect requests that write to the process that holds the lease (307), instead of forwarding them.',
  ),
  clusterReplicas: number(
    'cluster-replicas',
    { value: 3, least: 1, most: 5 },
    'Copies of the shared journal and its objects that the log servers keep; 1 is for trials.',
  ),
  contentCache: bytes(
    'content-cache',
    10 * GIB,
    'Maximum size of the content files that a process of a cluster keeps; others are fetched when they are read.',
    1024 * GIB,
  ),
  contentGrace: {
    ...number(
      'content-grace',
      { value: 24, least: 1, most: 8760 },
      'Hours for which a cluster keeps content that nothing refers to; longer than any upload takes.',
    ),
    unit: 'hours',
  } satisfies Setting<number> as Setting<number>,
  natsCredentials: file('nats-credentials', 'File of NATS credentials (a JWT and its seed).'),
  natsCa: file(
    'nats-ca',
    'PEM file of the certificate authorities of the log servers, for tls://; by default those of the system.',
  ),
  natsCertificate: file(
    'nats-certificate',
    'PEM file of the certificate that this process shows to the log servers, for tls://; needs --nats-key.',
  ),
  natsKey: file('nats-key', 'PEM file of its private key.'),
  natsUser: fromEnvironment('nats-user', 'Name of the user at the log servers.'),
  natsPassword: fromEnvironment('nats-password', 'Password of that user.'),
  natsToken: fromEnvironment('nats-token', 'Token for the log servers.'),
  load: {
    flag: 'load',
    argument: 'FILE[=GRAPH]',
    repeatable: true,
    default: [] as readonly Load[],
    shownDefault: 'none',
    explanation:
      'RDF file to load at start-up. With =GRAPH it replaces that named graph; without, quads are added to the graphs that they name, and triples to the default context.',
    read: (value: string, directory?: string): readonly Load[] => [readLoad(value, directory)],
    show: ({ file, graph }: Load) => (graph === undefined ? file : `${file}=${graph}`),
  } satisfies Setting<readonly Load[]>,
  recover: flag(
    'recover',
    'Open a data directory whose journal is damaged: keep everything before the damage, and move the rest aside.',
  ),
  allowHost: {
    flag: 'allow-host',
    argument: 'HOST',
    repeatable: true,
    default: [] as readonly string[],
    shownDefault: 'none',
    explanation:
      'Additional host name to accept in requests without credentials, besides loopback and the host of --base; other names get 421.',
    read: (value: string): readonly string[] => [readHost(value)],
  } satisfies Setting<readonly string[]>,
  allowOrigin: {
    flag: 'allow-origin',
    argument: 'ORIGIN',
    repeatable: true,
    default: [] as readonly string[],
    shownDefault: 'none',
    explanation:
      "Origin whose web pages may read and write (CORS), in addition to the server's own; * allows pages of every origin to read.",
    read: (value: string): readonly string[] => [readOrigin(value)],
  } satisfies Setting<readonly string[]>,
  trustedProxy: {
    flag: 'trusted-proxy',
    argument: 'CIDR',
    repeatable: true,
    default: [] as readonly string[],
    shownDefault: 'none',
    explanation:
      'Address or network (10.0.0.0/8) of proxies whose Forwarded and X-Forwarded-For headers identify the client.',
    read: (value: string): readonly string[] => [readNetwork(value)],
  } satisfies Setting<readonly string[]>,
  compress: flag('compress', 'Compress text responses with gzip for clients that accept it.'),
  logLevel: choice(
    'log-level',
    'LEVEL',
    { value: 'warn', choices: ['silent', 'error', 'warn', 'info', 'debug'] },
    'Lowest level to log, as JSON lines on standard error; info and debug log every request.',
  ),
  metrics: choice(
    'metrics',
    'WHETHER',
    { value: 'on', choices: ['on', 'off'] },
    'Whether to count requests and show metrics at /metrics.',
  ),
  console: choice(
    'console',
    'WHETHER',
    { value: 'on', choices: ['on', 'off'] },
    'Whether to serve the console, the pages for browsers, at / and /console.',
  ),
  traces: flag('traces', 'Make a span of OpenTelemetry for each request.'),
  credentials: file(
    'credentials',
    'File of credentials, one per line: ROLE NAME HASH. If there are credentials, every request needs one.',
  ),
  credential: {
    flag: 'credential',
    argument: 'CREDENTIAL',
    repeatable: true,
    secret: true,
    default: [] as readonly string[],
    shownDefault: 'none',
    explanation:
      "Additional credential: 'ROLE NAME HASH', where ROLE is read or write, and hash-password prints HASH.",
    read: (value: string): readonly string[] => [readText(value)],
  } satisfies Setting<readonly string[]>,
  jwtIssuer: {
    ...file(
      'jwt-issuer',
      'Issuer whose JSON Web Tokens are accepted as Bearer tokens (OpenID Connect); needs --jwt-audience.',
    ),
    argument: 'URL',
    read: readText,
  },
  jwtAudience: {
    flag: 'jwt-audience',
    argument: 'TEXT',
    repeatable: true,
    default: [] as readonly string[],
    shownDefault: 'none',
    explanation: 'Name of this server at the issuer: a token must be meant for it (the claim aud).',
    read: (value: string): readonly string[] => [readText(value)],
  } satisfies Setting<readonly string[]>,
  jwtJwks: {
    ...file(
      'jwt-jwks',
      'Public keys of the issuer (JWKS): a file, or a URL to fetch them from; by default they are fetched from where /.well-known/openid-configuration of the issuer says.',
    ),
    argument: 'URL-OR-FILE',
    read: (value: string, directory?: string) => (isUrl(value) ? value : readPath(value, directory)),
  },
  jwtRead: claimRule(
    'jwt-read',
    { claim: 'scope', value: 'pathpool:read' },
    'Claim that gives a token the role read: it has this value, or contains it. Without =VALUE any value will do, but not false or an empty one.',
  ),
  jwtWrite: claimRule(
    'jwt-write',
    { claim: 'scope', value: 'pathpool:write' },
    'Claim that gives a token the role write, in the same form.',
  ),
  publicRead: flag('public-read', 'Allow reading without credentials; only writing needs them.'),
  access: file(
    'access',
    'File of rules about who may read and write which graphs, one per line: PERMISSION CLIENT GRAPH…. What no rule grants is denied.',
  ),
  open: flag('open', 'Allow unauthenticated access on non-loopback addresses.'),
  failedLogins: number(
    'failed-logins',
    { value: 10, least: 1, most: 100_000 },
    'Failed logins per minute from one address before it gets 429.',
  ),
  requestRate: number(
    'request-rate',
    { value: 0, least: 0, most: 1_000_000 },
    'Requests per second from one address (ten times as many in a burst) before it gets 429; 0 for no limit.',
  ),
  tlsCert: file(
    'tls-cert',
    'PEM file of the certificate chain; with --tls-key, the server speaks HTTPS only.',
  ),
  tlsKey: file('tls-key', 'PEM file of the private key.'),
  maxRdfBody: bytes('max-rdf-body', 64 * MIB, 'Maximum size of an RDF request body, decoded.'),
  maxContent: bytes('max-content', GIB, 'Maximum size of the content of one resource.'),
  putMode: choice(
    'put-mode',
    'MODE',
    { value: 'redirect', choices: ['redirect', 'direct'] },
    'What PUT at /resource does: redirect to the URL for the data, or store the data directly, as clients of Apache Marmotta expect.',
  ),
  defaultRel: choice(
    'default-rel',
    'REL',
    { value: 'meta', choices: ['meta', 'content'] },
    'Meaning of a Content-Type without rel in PUT at /resource.',
  ),
  ldpModel: choice(
    'ldp-model',
    'MODEL',
    { value: 'rdfsource', choices: ['rdfsource', 'container'] },
    'Interaction model of new RDF below /ldp if neither the request nor the RDF states one.',
  ),
  ldpIfMatch: choice(
    'ldp-if-match',
    'WHEN',
    { value: 'required', choices: ['required', 'optional'] },
    'Whether PUT on an existing resource below /ldp needs If-Match or If-Unmodified-Since.',
  ),
  maxPatch: bytes('max-patch', MIB, 'Maximum size of the body of a PATCH.'),
  maxProgram: bytes('max-program', 256 * KIB, 'Maximum size of an LDPath program or path.'),
  maxQuery: bytes('max-query', MIB, 'Maximum size of the text of a SPARQL query.'),
  maxBodiesHeld: bytes('max-bodies-held', GIB, 'Maximum size of all buffered request bodies together.'),
  maxAnswersHeld: bytes(
    'max-answers-held',
    512 * MIB,
    'Maximum size of all responses buffered for slow clients; the same again for streamed responses, for lines of batches, and for changed results of programs.',
  ),
  bodyTime: seconds('body-time', 30, 'Maximum time between two chunks of a request body.'),
  evaluationTime: seconds('evaluation-time', 30, 'Time limit of one LDPath evaluation.'),
  evaluationSteps: number(
    'evaluation-steps',
    { value: 10_000_000, least: 1, most: 1_000_000_000 },
    'Maximum number of steps (look-ups, tests and calls) of one LDPath evaluation.',
  ),
  evaluationTerms: number(
    'evaluation-terms',
    { value: 1_000_000, least: 1, most: 100_000_000 },
    'Maximum number of terms in the lists of one LDPath evaluation.',
  ),
  maxResult: bytes('max-result', 64 * MIB, 'Maximum size of the result of one LDPath evaluation.'),
  maxBatchBody: bytes('max-batch-body', 16 * MIB, 'Maximum size of the request body of an LDPath batch.'),
  batchUris: number(
    'batch-uris',
    { value: 10_000, least: 1, most: 1_000_000 },
    'Maximum number of start resources in one LDPath batch.',
  ),
  debugUris: number(
    'debug-uris',
    { value: 1_000, least: 1, most: 100_000 },
    'Maximum number of start resources in one request to /ldpath/debug.',
  ),
  parseTime: seconds('parse-time', 300, 'Time limit for parsing one RDF document.'),
  ldpathQueue: number(
    'ldpath-queue',
    { value: 4096, least: 1, most: 1_000_000 },
    'LDPath evaluations that may wait for a worker: this many of fast programs, and as many of others.',
  ),
  heavyQueue: number(
    'heavy-queue',
    { value: 256, least: 1, most: 1_000_000 },
    'Jobs that may wait in each of the other queues (parsing, serialising, maintenance).',
  ),
  sparqlThreads: number(
    'sparql-threads',
    { value: 2, least: 0, most: 64 },
    'Threads for SPARQL, each with a copy of the data in the form that Oxigraph needs; 0 disables SPARQL.',
  ),
  sparqlDefaultGraph: choice(
    'sparql-default-graph',
    'WHICH',
    { value: 'union', choices: ['union', 'default'] },
    'Default graph of SPARQL requests that name none: the union of all graphs, or the default context.',
  ),
  sparqlTime: seconds('sparql-time', 30, 'Time limit of one SPARQL query or update.'),
  sparqlMax: bytes(
    'sparql-max',
    3 * GIB,
    'Maximum memory of one SPARQL thread (about 330 bytes per triple, plus what a query needs); if the data do not fit, SPARQL is unavailable.',
    4 * GIB,
  ),
  sparqlResult: bytes('sparql-result', 64 * MIB, 'Maximum size of the result of one SPARQL query.'),
  sparqlQueue: number(
    'sparql-queue',
    { value: 1024, least: 1, most: 1_000_000 },
    'SPARQL requests that may wait for a thread: this many quick ones, and as many others.',
  ),
  sparqlIdle: seconds(
    'sparql-idle',
    300,
    'Idle time after which a SPARQL thread is ended and its memory released.',
  ),
  threadHeap: bytes('thread-heap', 1024 * MIB, 'Maximum JavaScript heap of one worker thread.'),
  prefix: {
    flag: 'prefix',
    argument: 'PREFIX=NAMESPACE',
    repeatable: true,
    default: [] as readonly PrefixSetting[],
    shownDefault: 'none',
    explanation:
      'Prefix that programs and queries need not declare; it is added to the built-in prefixes, or replaces one.',
    read: (value: string): readonly PrefixSetting[] => [readPrefix(value)],
    show: (pair: PrefixSetting) => pair.join('='),
  } satisfies Setting<readonly PrefixSetting[]>,
  context: {
    flag: 'context',
    argument: 'URL=FILE',
    repeatable: true,
    default: [] as readonly ContextFile[],
    shownDefault: 'none',
    explanation:
      'JSON-LD context that documents may name by its URL, and the file with the document that is there. Nothing is fetched; other remote contexts are rejected.',
    read: (value: string, directory?: string): readonly ContextFile[] => [readContextFile(value, directory)],
    show: ({ iri, file }: ContextFile) => `${iri}=${file}`,
  } satisfies Setting<readonly ContextFile[]>,
  keepTasks: flag('keep-tasks', 'Make tasks read-only: DELETE below /tasks is rejected.'),
  journalMax: bytes(
    'journal-max',
    64 * MIB,
    'Journal size after which a checkpoint is written, but no sooner than at a quarter of the size of the last one.',
  ),
  changesRetention: {
    flag: 'changes-retention',
    argument: 'SIZE[,AGE]',
    default: { bytes: GIB, ageMs: 7 * DAY_MS } as RetentionLimits,
    shownDefault: '1GiB,7d',
    explanation:
      'How much of the history of changes is kept beyond the journal: its size on disk (in a cluster, that of the whole shared journal), and for how long (a number with d, h, m or s; no limit if omitted). 0 keeps none.',
    read: readRetention,
    show: shownRetention,
  } satisfies Setting<RetentionLimits>,
  maxStreams: number(
    'max-streams',
    { value: 1000, least: 1, most: 1_000_000 },
    'Streams of changes that may be open at the same time.',
  ),
  dataMax: {
    ...bytes(
      'data-max',
      Math.floor(usableMemory() / 2),
      'Maximum memory of the data (about 60 bytes per triple); writes that would exceed it are rejected. Compaction temporarily needs as much again.',
      1024 * GIB,
    ),
    shownDefault: 'half of the memory',
  },
};

export type SettingName = keyof typeof settings;
export type Config = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends SettingBase<infer T> ? T : never;
};

export function environmentName(setting: { readonly flag: string }): string {
  return `PATHPOOL_${setting.flag.toUpperCase().replaceAll('-', '_')}`;
}

/** Returns the default as `--help` and docs/settings.md show it. */
export function shownDefault(setting: Setting<unknown>): string {
  return setting.shownDefault ?? String(setting.default);
}

/** Returns a complete configuration, with defaults for settings that are missing in `given`. */
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
  return { flag, argument: 'FILE', default: undefined, shownDefault: 'none', explanation, read: readPath };
}

/** A secret that neither a flag nor a config file may contain. */
function fromEnvironment(flag: string, what: string): Setting<string | undefined> {
  return {
    flag,
    argument: 'TEXT',
    environmentOnly: true,
    secret: true,
    default: undefined,
    shownDefault: 'none',
    explanation: `${what} It can be given in the environment only.`,
    read: readText,
  };
}

/** Whether a place is a URL, not a file. */
export function isUrl(place: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(place);
}

function claimRule(flag: string, rule: ClaimRule, explanation: string): Setting<readonly ClaimRule[]> {
  const show = ({ claim, value }: ClaimRule) => (value === undefined ? claim : `${claim}=${value}`);
  const setting = { flag, argument: 'CLAIM[=VALUE]', repeatable: true, shownDefault: show(rule) } as const;
  const read = (given: string) => [readClaimRule(given)];
  return { ...setting, default: [rule], explanation, read, show };
}

function readClaimRule(given: string): ClaimRule {
  const rule = parseClaimRule(given);
  if (rule) return rule;
  throw new SettingError(
    'expected CLAIM or CLAIM=VALUE, such as scope=pathpool:write or /realm_access/roles=editor',
  );
}

function readText(value: string): string {
  if (value === '') throw new SettingError('it must not be empty');
  return value;
}

function readPath(value: string, directory?: string): string {
  return directory === undefined ? readText(value) : resolve(directory, readText(value));
}

function flag(name: string, explanation: string): Setting<boolean> {
  return { flag: name, default: false, explanation, read: readSwitch };
}

function readSwitch(value: string): boolean {
  if (/^(1|true|yes|on)$/i.test(value)) return true;
  if (/^(0|false|no|off|)$/i.test(value)) return false;
  throw new SettingError('expected true or false');
}

interface NumberRange {
  /** The default, and how `--help` shows it. */
  readonly value: number;
  readonly shown?: string;
  readonly least: number;
  readonly most: number;
}

function number(flag: string, range: NumberRange, explanation: string): Setting<number> {
  const { value, shown = String(value), least, most } = range;
  const read = (given: string) => {
    const parsed = Number(given);
    if (/^\d+$/.test(given) && parsed >= least && parsed <= most) return parsed;
    throw new SettingError(`expected a whole number from ${least} to ${most}`);
  };
  const schema = { type: 'integer', minimum: least, maximum: most } as const;
  return { flag, argument: 'NUMBER', default: value, shownDefault: shown, explanation, schema, read };
}

function seconds(flag: string, value: number, explanation: string): Setting<number> {
  const read = (given: string) => {
    const parsed = Number(given);
    if (given !== '' && parsed > 0 && parsed <= MOST_SECONDS) return parsed;
    throw new SettingError(`expected a number of seconds above 0, at most ${MOST_SECONDS}`);
  };
  const schema = { type: 'number', exclusiveMinimum: 0, maximum: MOST_SECONDS } as const;
  return { flag, argument: 'SECONDS', default: value, explanation, unit: 'seconds', schema, read };
}

/** Returns the bytes of memory that this process may use, as far as the system reports a limit. */
function usableMemory(): number {
  // Without a limit this is zero or a huge number.
  const constrained = process.constrainedMemory();
  return constrained ? Math.min(constrained, totalmem()) : totalmem();
}

const units: Readonly<Record<string, number>> = { '': 1, b: 1, kib: KIB, mib: MIB, gib: GIB };

function bytes(flag: string, value: number, explanation: string, most = 64 * GIB): Setting<number> {
  const schema = {
    type: ['integer', 'string'],
    minimum: 1,
    maximum: most,
    pattern: '^\\d+(\\.\\d+)?\\s*([Bb]|[KkMmGg][Ii][Bb])?$',
  } as const;
  const read = (given: string) => readBytes(given, most);
  const shownDefault = shownBytes(value);
  return {
    flag,
    argument: 'SIZE',
    default: value,
    shownDefault,
    explanation,
    unit: 'bytes',
    schema,
    read,
    show: shownBytes,
  };
}

/** With the greatest unit of which it is a whole number. */
function shownBytes(value: number): string {
  for (const [unit, factor] of Object.entries({ GiB: GIB, MiB: MIB, KiB: KIB })) {
    if (value % factor === 0) return `${value / factor}${unit}`;
  }
  return String(value);
}

function readBytes(given: string, most: number): number {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(given) ?? [];
  const factor = units[unit.toLowerCase()];
  const size = Math.floor(Number(digits) * (factor ?? Number.NaN));
  if (size > 0 && size <= most) return size;
  throw new SettingError(`expected a size such as 65536, 256KiB, 64MiB or 1GiB, at most ${most / GIB}GiB`);
}

const ages: Readonly<Record<string, number>> = { d: DAY_MS, h: 3_600_000, m: 60_000, s: 1000 };

function readRetention(given: string): RetentionLimits {
  const [, size = '', digits, unit = ''] = /^([^,]+)(?:,\s*(\d{1,9})([dhms]))?$/.exec(given) ?? [];
  const ageMs = digits === undefined ? Number.POSITIVE_INFINITY : Number(digits) * ages[unit]!;
  if (size === '0') return { bytes: 0, ageMs };
  if (size === '' || ageMs === 0)
    throw new SettingError('expected a size, or a size and an age, such as 1GiB,7d');
  return { bytes: readBytes(size, 1024 * GIB), ageMs };
}

function shownRetention({ bytes: size, ageMs }: RetentionLimits): string {
  const shown = size === 0 ? '0' : shownBytes(size);
  if (ageMs === Number.POSITIVE_INFINITY) return shown;
  const [unit = 's', factor = 1000] = Object.entries(ages).find(([, each]) => ageMs % each === 0) ?? [];
  return `${shown},${ageMs / factor}${unit}`;
}

function choice<T extends string>(
  flag: string,
  argument: string,
  { value, choices }: { readonly value: T; readonly choices: readonly T[] },
  explanation: string,
): SettingBase<T> {
  const read = (given: string) => {
    if ((choices as readonly string[]).includes(given)) return given as T;
    throw new SettingError(`expected one of ${choices.join(', ')}`);
  };
  const shown = `${explanation} One of ${choices.join(', ')}.`;
  const schema = { type: 'string', enum: choices } as const;
  return { flag, argument, default: value, explanation: shown, schema, read };
}

function readBase(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const plain =
    url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password;
  if (!plain || !isIri(given)) {
    throw new SettingError('expected an http or https URL without query, fragment or white space');
  }
  return given.replace(/\/+$/, '');
}

function readJournal(given: string): JournalPlace {
  try {
    return parseJournalUrl(given);
  } catch (error) {
    throw new SettingError((error as Error).message);
  }
}

function readProcessName(given: string): string {
  if (/^[A-Za-z0-9-]{1,64}$/.test(given)) return given;
  throw new SettingError('expected 1 to 64 letters, digits and hyphens');
}

function readOwnUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new SettingError('expected an http or https URL without a path, such as http://10.0.0.1:8080');
}

function readHost(given: string): string {
  const text = readText(given);
  const name = hostNameOf(isIP(text) === 6 ? `[${text}]` : text);
  if (name === undefined) throw new SettingError('expected a host name or an IP address');
  return name;
}

/**
 * Browser extensions and desktop apps have schemes of their own, for which `URL` returns no origin.
 */
function readOrigin(given: string): string {
  if (readText(given) === '*') return given;
  if (/^https?:/i.test(given) && URL.canParse(given) && new URL(given).href === `${new URL(given).origin}/`)
    return new URL(given).origin;
  if (/^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+$/.test(given)) return given;
  throw new SettingError('expected an origin such as https://app.example, or *');
}

function readNetwork(given: string): string {
  const [address = '', prefix, ...more] = given.split('/');
  const bits = address.includes('%') ? undefined : { 4: 32, 6: 128 }[isIP(address)];
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (bits ?? 0));
  if (bits !== undefined && isPrefix && more.length === 0) return given;
  throw new SettingError('expected an IP address or a network such as 10.0.0.0/8 or fd00::/8');
}

function readLoad(given: string, directory?: string): Load {
  const [, file = given, graph] = /^(.+?)=([a-z][a-z0-9+.-]*:.*)$/is.exec(given) ?? [];
  return { file: readPath(file, directory), graph };
}

/** The last equals sign separates them: a URL may have one in its query. */
function readContextFile(given: string, directory?: string): ContextFile {
  const [, iri = '', file = ''] = /^(.*)=([^=]+)$/s.exec(given) ?? [];
  if (isIri(iri)) return { iri, file: readPath(file, directory) };
  throw new SettingError('expected URL=FILE, such as https://schema.org=schema.jsonld');
}

function readPrefix(given: string): PrefixSetting {
  const [, prefix, namespace] = /^([a-z][a-z0-9_-]*)=(.*)$/is.exec(given) ?? [];
  if (prefix !== undefined && namespace !== undefined && isIri(namespace)) return [prefix, namespace];
  throw new SettingError('expected PREFIX=NAMESPACE, such as ex=http://example.org/terms#');
}
