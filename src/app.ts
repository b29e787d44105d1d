/**
 * The composition root: creates the parts of the server and connects them, from the listener to the
 * routes. `startup/` has what is too long to be read here. Parts are closed in the reverse order,
 * except that the requests end first.
 */
import { join, resolve } from 'node:path';
import { ChangeHistory } from './changes/main/change-history.ts';
import { ShownSettings } from './cli/settings/shown-settings.ts';
import type { SettingsInForce } from './cli/settings/sources.ts';
import type { ClusterSettings } from './cluster/settings.ts';
import type { Config, SettingName } from './config.ts';
import { type ErrorData, errorData } from './errors.ts';
import type { FrontName } from './http/fronts/known-fronts.ts';
import { withCommitTokens } from './http/middleware/commit-tokens.ts';
import { withCompression } from './http/middleware/compression.ts';
import { notHere, Peers } from './http/middleware/peers.ts';
import { isMonitoring } from './http/middleware/probes.ts';
import type { RequestMeter } from './http/middleware/request-meter.ts';
import type { RequestTraces } from './http/middleware/request-traces.ts';
import { problemResponse } from './http/problem.ts';
import { loading } from './http/routes/health.ts';
import type { HttpServerOptions } from './http/server/http-options.ts';
import { withoutExceptions } from './http/server/internal-error.ts';
import type { HttpRequest } from './http/server/message.ts';
import { RequestLog } from './http/server/request-log.ts';
import { Router } from './http/server/router.ts';
import { type HttpServer, startServer } from './http/server/server.ts';
import type { Log } from './log.ts';
import type { ServerEvents } from './metrics/events.ts';
import { Pool, type PoolOptions } from './pool/pool.ts';
import type { ServerHealth } from './services/health/server-health.ts';
import { TransferTasks } from './services/tasks/transfer-tasks.ts';
import { type AccessControl, openAccessControl } from './startup/access-control.ts';
import { Closer } from './startup/closer.ts';
import type { Cluster } from './startup/cluster.ts';
import { clusterSettings, ownUrl } from './startup/cluster-settings.ts';
import { readContexts } from './startup/context-files.ts';
import { createServices } from './startup/create-services.ts';
import { HostLoad } from './startup/host-load.ts';
import { type LoadObserver, loadFiles } from './startup/initial-files.ts';
import { Monitoring } from './startup/monitoring.ts';
import { OwnWrites } from './startup/own-writes.ts';
import { PoolWork } from './startup/pool-work.ts';
import { createReload } from './startup/reload.ts';
import { allRoutes } from './startup/routes.ts';
import { fetchingLog, loadingLog, logKill, logLife, logMaintenance } from './startup/server-log.ts';
import { createSparqlPool } from './startup/sparql-threads.ts';
import { poolOptions } from './startup/worker-pool.ts';
import { ContentFiles } from './store/content/storage.ts';
import { StoreClient, type StoreClientOptions, type StoreWork } from './store/main/client.ts';
import { readVersion } from './version.ts';

/**
 * How long running requests may continue after the signal to shut down (http-api G-93), in
 * milliseconds.
 */
const CLOSE_GRACE_MS = 10_000;

/**
 * Changes of at least this many rows are prepared in worker threads: they would occupy the store
 * thread for about a tenth of a second.
 */
const BIG_WRITE_ROWS = 16 * 1024;

/** The message for errors of closing, which name the parts. */
export const NOT_CLOSED = 'The server did not close in order.';

const NOT_LOADED = 'Files of --load are not loaded, because another process holds the lease of the cluster.';

const DIVERGED = 'The data of this process differ from those of its cluster: it must be restarted.';
const diverged = errorData('unavailable', DIVERGED, { retryAfter: 30 });

/** The log, and parts that tests replace. */
export interface AppParts {
  readonly log: Log;
  /** The settings with their sources, if they come from the command line. */
  readonly settings?: SettingsInForce;
  /** Receives the progress of `--load`; by default the log does. */
  readonly loading?: LoadObserver;
  readonly openStore?: (options: StoreClientOptions) => Promise<StoreClient>;
  readonly createPool?: (options: PoolOptions) => Pool;
  /** Returns the date of new content, in milliseconds since 1970. The store has its own clock. */
  readonly now?: () => number;
}

type AllParts = AppParts & Required<Omit<AppParts, 'settings'>>;

export interface App {
  readonly front: FrontName;
  /** The address that it listens on; not the base URL. */
  readonly url: string;
  /** The base of all URIs that the server mints. */
  readonly base: string;
  /** Number of quads at start-up. */
  readonly quadCount: number;
  /**
   * Reads credentials, keys of tokens and certificates again, and takes over what has changed in
   * `config`; open connections go on. Returns the changed settings that need a restart. If anything
   * is wrong, it rejects with an error that says what, and nothing has changed.
   */
  reload(config: Config, settings?: SettingsInForce): Promise<readonly SettingName[]>;
  /**
   * Resolves if the process was too slow for the journal of its cluster, which no longer has what
   * would come next: another start begins with the newest checkpoint.
   */
  readonly overtaken: Promise<void>;
  /**
   * Stops accepting requests, lets running ones end, syncs the data, and releases the data
   * directory. Further calls return the same promise. Rejects with an `AggregateError` if parts
   * could not be closed.
   */
  close(): Promise<void>;
}

/**
 * Starts the server; if that fails, closes what it has opened. Errors: `data-damaged`,
 * `data-locked`, a port that is in use, a file of `--load` that can't be read.
 */
export async function createApp(config: Config, parts: AppParts): Promise<App> {
  const { log } = parts;
  const closer = new Closer();
  try {
    return logLife(await start(config, withDefaults(parts), closer), config, log);
  } catch (error) {
    await closer.close(0).catch((err: unknown) => log.error({ err }, NOT_CLOSED));
    throw error;
  }
}

function withDefaults(parts: AppParts): AllParts {
  return {
    openStore: (options) => StoreClient.open(options),
    createPool: (options) => new Pool(options),
    now: Date.now,
    loading: loadingLog(parts.log),
    ...parts,
  };
}

async function start(config: Config, parts: AllParts, closer: Closer): Promise<App> {
  const { log } = parts;
  const accessControl = await openAccessControl(config, log);
  closer.add({ access: () => accessControl.access.close() });
  const contexts = await readContexts(config.context);

  // The listener, before the data, so that monitors see that they are loading, and before the parts
  // that need the base URL: the system may choose the port, and the base URL depends on it.
  const monitoring = new Monitoring(config);
  const { health, events, meter } = monitoring;
  closer.add({ monitoring: () => monitoring.close() });
  const settings = clusterSettings(config);
  const peers = settings && new Peers();
  let serve: Handle = compressed(config, rejectAll(loading, monitoring, peers));
  const serveDiverged = rejectAll(diverged, monitoring, peers);
  let hasDiverged = false;
  const handle = (request: HttpRequest) => (hasDiverged ? serveDiverged(request) : serve(request));
  const transfers = new TransferTasks();
  const server = await startAdapter(config, { accessControl, log, transfers, handle, meter, peers });
  monitoring.noteFront(server.front);
  closer.add({ listener: () => server.close(0) });
  const scheme = accessControl.tls ? 'https' : 'http';
  const base = config.base ?? `${scheme}://localhost:${server.port}`;
  accessControl.access.useBase(base);

  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const url = `${scheme}://${host}:${server.port}`;

  // The data
  const cluster = settings && peers && (await openCluster(config, settings, { url, peers, log }));
  if (cluster) closer.add({ 'log servers': () => cluster.disconnect() });
  const poolWork = new PoolWork();
  const store = await parts.openStore(
    storeOptions(config, { work: poolWork, log, events, health, cluster: settings }),
  );
  closer.add({ store: () => store.close() });
  const history = new ChangeHistory(store, hasOwnJournal(config) ? resolve(config.data) : null, settings);
  closer.add({ 'changes thread': () => history.close() });
  const contentDirectory = config.memory ? null : join(resolve(config.data), 'content');
  const localFiles = await ContentFiles.open(contentDirectory);
  const files = (await cluster?.openContent(localFiles, config)) ?? localFiles;
  closer.add({ 'content files': () => files.close() });
  void store.lost.then(() => files.abandon());
  const overtaken = new Promise<void>((resolve) => {
    void store.failed.then(({ isOvertaken }) => {
      health.noteDiverged();
      hasDiverged = true;
      if (isOvertaken) resolve();
      return cluster?.leave();
    });
  });
  health.watch({ store, files, cluster });

  // Threads
  const sparqlPool = createSparqlPool(config, store, base, {
    onInternalError: (err) => {
      events.noteFailure('sparql');
      log.error({ err }, 'Internal error in a SPARQL thread.');
    },
    onKill: (kill) => {
      events.noteKill('sparql', kill);
      logKill(log, kill);
    },
  });
  const options = poolOptions(config, store, base, {
    contexts,
    onInternalError: (err, left) => {
      if (left === 0) health.noteNoThreads();
      events.noteFailure('worker');
      log.error({ err, left }, 'Internal error in a worker thread.');
    },
    onKill: (kill) => {
      events.noteKill('worker', kill);
      logKill(log, kill);
    },
  });
  const pool = parts.createPool(options);
  closer.add({
    'worker threads': (graceMs) => pool.close(graceMs),
    'SPARQL threads': (graceMs) => sparqlPool.close(graceMs),
  });
  poolWork.beginIn(pool);
  const hostLoad = new HostLoad((busy) => {
    for (const each of [store, pool, sparqlPool]) each.allowLowPriority(!busy);
  });
  hostLoad.start();
  closer.add({ 'host load': () => hostLoad.stop() });

  // Services
  const services = createServices(config, base, {
    store,
    history,
    files,
    pool,
    sparqlPool,
    transfers,
    log,
    now: parts.now,
  });
  const { garbageCollector, changes } = services;
  monitoring.watch({ store, pool, sparqlPool, changes, cluster });

  // The data that are there from the start. Data from before are readable during the first commit.
  const isNew = store.snapshot.quadCount === 0;
  const { space } = services.ldp;
  const holdsLease = () => cluster?.holdsLease ?? true;
  const ownWrites = new OwnWrites(config, base, { store, space, log, mayWrite: holdsLease });
  await cluster?.join(store, { garbageCollector, ownWrites });
  const mayWrite = holdsLease();
  await ownWrites.settleBase(mayWrite);
  const { defaultGraph } = services.contexts;
  if (mayWrite) await loadFiles(config.load, { store, pool, defaultGraph }, parts.loading);
  else if (config.load.length > 0) log.warn(NOT_LOADED);
  const rootMade = mayWrite ? ownWrites.createRoot() : Promise.resolve();
  if (isNew) await rootMade;
  if (!cluster) garbageCollector.start();
  closer.add({ 'garbage collector': () => garbageCollector.stop() });

  // Routes
  const { isGuarded } = accessControl.access;
  const shown = new ShownSettings(config, parts.settings);
  const routeParts = { monitoring: monitoring.routes, shown, isGuarded, rootMade, cluster };
  const router = new Router(allRoutes(config, base, services, routeParts));
  const handleHere = withoutExceptions(
    compressed(config, (request) => router.handle(request)),
    log,
  );
  serve = withCommitTokens(cluster?.forwarding(handleHere, router, store) ?? handleHere, store, peers);
  closer.add({ connections: () => server.close(0) });
  // Other processes still get responses, until they know that this one has not the lease any more.
  if (cluster) closer.add({ cluster: () => cluster.leave() });
  closer.add({
    requests: (graceMs) => server.drain(graceMs),
    ...(cluster && { lease: (graceMs) => cluster.handOver(graceMs) }),
  });
  const close = () => {
    health.noteClosing();
    changes.close();
    return closer.close(CLOSE_GRACE_MS);
  };
  // Not before: a start that fails says nothing but why.
  if (server.fallback !== undefined) {
    log.warn({ reason: server.fallback }, "uWebSockets.js can't be loaded, so node:http serves requests.");
  }
  health.noteLoaded();
  const reload = createReload(config, { accessControl, server, log, shown });
  return { front: server.front, url, base, reload, quadCount: store.snapshot.quadCount, overtaken, close };
}

function hasOwnJournal({ memory, journal }: Config): boolean {
  return !memory && journal === undefined;
}

type Handle = HttpServerOptions['handle'];

interface StoreParts {
  readonly work: StoreWork;
  readonly log: Log;
  readonly events: ServerEvents;
  readonly health: ServerHealth;
  readonly cluster: ClusterSettings | undefined;
}

function storeOptions(
  config: Config,
  { work, log, events, health, cluster }: StoreParts,
): StoreClientOptions {
  const logFetching = fetchingLog(log);
  return {
    ...(cluster && { cluster }),
    directory: config.memory ? null : resolve(config.data),
    journalMax: config.journalMax,
    changesRetention: config.changesRetention,
    dataMax: config.dataMax,
    recover: config.recover,
    bigWriteRows: BIG_WRITE_ROWS,
    work,
    notice: (message) => log.warn(message),
    onFetch: (progress) => {
      health.noteFetched(progress);
      logFetching(progress);
    },
    onMaintenance: (event) => {
      events.noteMaintenance(event);
      logMaintenance(log, event);
    },
  };
}

interface AdapterParts extends Pick<HttpServerOptions, 'transfers' | 'handle'> {
  readonly accessControl: AccessControl;
  readonly log: Log;
  readonly meter: RequestMeter | undefined;
  readonly peers: Peers | undefined;
}

async function startAdapter(config: Config, parts: AdapterParts): Promise<HttpServer> {
  const { accessControl, log, transfers, handle, meter, peers } = parts;
  const traces = config.traces ? await newTraces(accessControl.tls ? 'https' : 'http') : undefined;
  return startServer({
    host: config.host,
    port: config.port,
    basePath: config.base === undefined ? '' : basePath(config.base),
    maxBufferedBodies: config.maxBodiesHeld,
    maxBufferedResponses: config.maxAnswersHeld,
    bodyTimeMs: config.bodyTime * 1000,
    ...(config.front !== undefined && { front: config.front }),
    log,
    transfers,
    ...(meter && { meter }),
    ...(peers && { peers }),
    ...(traces && { traces }),
    requestLog: new RequestLog(log),
    ...accessControl,
    handle,
  });
}

function compressed({ compress }: Config, handle: Handle): Handle {
  return compress ? withCompression(handle) : handle;
}

/** Loads the interface of OpenTelemetry only if it is used. */
async function newTraces(scheme: 'http' | 'https'): Promise<RequestTraces> {
  const { RequestTraces } = await import('./http/middleware/request-traces.ts');
  return new RequestTraces(readVersion(), scheme);
}

/** Loads what a cluster needs only if there is one. */
async function openCluster(
  config: Config,
  settings: ClusterSettings,
  { url, peers, log }: { readonly url: string; readonly peers: Peers; readonly log: Log },
): Promise<Cluster> {
  const { Cluster } = await import('./startup/cluster.ts');
  const redirects = config.clusterRedirect;
  return Cluster.open({ settings, url: ownUrl(config, url), redirects, peers, log });
}

function basePath(base: string): string {
  return new URL(base).pathname.replace(/\/$/, '');
}

/** Returns a handler that serves the routes for operators, and rejects all other requests. */
function rejectAll(error: ErrorData, monitoring: Monitoring, peers: Peers | undefined): Handle {
  return (request) => {
    if (isMonitoring(request.path)) return monitoring.router.handle(request);
    // A process that forwarded the request waits for another holder, instead of its client.
    return problemResponse(peers?.trusts(request) ? notHere : error, request);
  };
}
