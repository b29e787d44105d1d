/**
 * The composition root: the only file that knows every part. Starts them in the order store,
 * uWebSockets.js adapter, pool, services. On shutdown it closes the adapter, then the pools, then
 * the store.
 */
import { join, resolve } from 'node:path';
import type { Config } from './config.ts';
import { AppError, toErrorData } from './errors.ts';
import { withCompression } from './http/middleware/compression.ts';
import { problemResponse } from './http/problem.ts';
import { contentRoutes } from './http/routes/content/routes.ts';
import { contextRoutes } from './http/routes/contexts/routes.ts';
import { datasetReader, datasetRoutes } from './http/routes/dataset/routes.ts';
import { graphStoreRoutes } from './http/routes/graph-store/routes.ts';
import { healthRoutes } from './http/routes/health.ts';
import { ldPathBatchRoutes } from './http/routes/ldpath/batch-handler.ts';
import { ldPathDebugRoutes } from './http/routes/ldpath/debug.ts';
import { ldPathFunctionRoutes } from './http/routes/ldpath/functions.ts';
import { ldPathRoutes } from './http/routes/ldpath/routes.ts';
import { ldPathUtilRoutes } from './http/routes/ldpath/util.ts';
import { metaRoutes } from './http/routes/meta/routes.ts';
import { storeDirectly } from './http/routes/resources/direct.ts';
import { resourceRoutes } from './http/routes/resources/routes.ts';
import { sparqlRoutes } from './http/routes/sparql/routes.ts';
import type { SparqlServices } from './http/routes/sparql/services.ts';
import { taskRoutes } from './http/routes/task-routes.ts';
import { deferRoutes } from './http/server/deferred-routes.ts';
import type { HttpRequest, HttpResponse } from './http/server/message.ts';
import { RequestLog } from './http/server/request-log.ts';
import { type Route, Router } from './http/server/router.ts';
import { type HttpServerOptions, startServer } from './http/server/uws-server.ts';
import { ldpConstraintRoutes } from './ldp/http/constraints-page.ts';
import { ldpRoutes } from './ldp/http/routes.ts';
import type { Ldp } from './ldp/http/service.ts';
import { LdpDocuments } from './ldp/main/documents.ts';
import { createRoot } from './ldp/main/root.ts';
import { LdpSpace } from './ldp/main/space.ts';
import { type LdpSettings, LdpWrites } from './ldp/main/writes.ts';
import type { Log } from './log.ts';
import type { Pool } from './pool/pool.ts';
import { ContentService } from './services/content/content.ts';
import { ContentGarbageCollector } from './services/content/garbage-collector.ts';
import { ContextService } from './services/contexts/contexts.ts';
import { DatasetService } from './services/dataset/service.ts';
import { CompletionService } from './services/ldpath/completion.ts';
import { IriSearch } from './services/ldpath/iri-completion.ts';
import { LanguageService } from './services/ldpath/language.ts';
import { LdPathService } from './services/ldpath/ldpath.ts';
import { type BaseChange, settleBase } from './services/resources/base-change.ts';
import { ResourceIndex } from './services/resources/existence.ts';
import { MetaService } from './services/resources/meta.ts';
import { ResourceService } from './services/resources/resources.ts';
import { ImportTasks } from './services/tasks/import-tasks.ts';
import { TaskService } from './services/tasks/listed-tasks.ts';
import { TransferTasks } from './services/tasks/transfer-tasks.ts';
import { type AccessControl, openAccessControl } from './startup/access-control.ts';
import { HostLoad } from './startup/host-load.ts';
import { loadFiles } from './startup/initial-files.ts';
import { prefixTable } from './startup/prefix-file.ts';
import { logKill, logLife, logMaintenance } from './startup/server-log.ts';
import { createSparqlFor } from './startup/sparql-threads.ts';
import { createPoolFor } from './startup/worker-pool.ts';
import { ContentFiles } from './store/content/storage.ts';
import { StoreClient } from './store/main/client.ts';
import type { Maintenance, MaintenanceOutcome } from './store/messages.ts';

/**
 * How long running requests may continue after the signal to shut down (http-api G-93), in
 * milliseconds.
 */
const CLOSE_GRACE_MS = 10_000;

/**
 * Changes of at least this many rows are prepared in worker threads: they would occupy the store
 * thread for about a tenth of a second.
 */
const BULK_ROWS = 16 * 1024;

export interface App {
  /** The address that it listens on; not the base URL. */
  readonly url: string;
  /** The base of all URIs that the server mints. */
  readonly base: string;
  /** Number of quads at start-up. */
  readonly quadCount: number;
  /**
   * Stops accepting requests, lets running ones end, syncs the data, and releases the data
   * directory.
   */
  close(): Promise<void>;
}

/**
 * Starts the server. Errors: `data-damaged`, `data-locked`, a port that is in use, a file of
 * `--load` that can't be read.
 */
export async function createApp(config: Config, log: Log): Promise<App> {
  const accessControl = await openAccessControl(config);
  const hostLoad = new HostLoad();
  const store = await StoreClient.open({
    directory: config.memory ? null : resolve(config.data),
    journalMax: config.journalMax,
    dataMax: config.dataMax,
    recover: config.recover,
    bulkRows: BULK_ROWS,
    notice: (message) => log.warn(message),
    onMaintenance: (event) => logMaintenance(log, event),
    hostIsBusy: () => hostLoad.busy,
  });
  let files: ContentFiles | undefined;
  try {
    files = await ContentFiles.open(config.memory ? null : join(resolve(config.data), 'content'));
    void store.lost.then(() => files?.abandon());
    return logLife(await listen(config, accessControl, log, store, files, hostLoad), config, log);
  } catch (error) {
    await store.close();
    await files?.close();
    throw error;
  }
}

/**
 * Listens before the other parts are created: the system may choose the port, and the base URL
 * depends on it.
 */
async function listen(
  config: Config,
  accessControl: AccessControl,
  log: Log,
  store: StoreClient,
  files: ContentFiles,
  hostLoad: HostLoad,
): Promise<App> {
  let router: Router | undefined;
  const handle = (request: HttpRequest) => router?.handle(request) ?? starting(request);
  const transfers = new TransferTasks();
  const server = await startAdapter(config, { accessControl, log, transfers, handle });
  const scheme = accessControl.tls ? 'https' : 'http';
  const base = config.base ?? `${scheme}://localhost:${server.port}`;
  const pool = createPoolFor(config, store, base, {
    onFault: (error, left) => log.error({ err: error, left }, 'Internal error in a worker thread.'),
    onKill: (kill) => logKill(log, kill),
  });
  const storing = new ImportTasks();
  const parts = { store, pool, storing, base };
  const sparql = createSparqlFor(config, parts, {
    onFault: (error) => log.error({ err: error }, 'Internal error in a SPARQL thread.'),
    onKill: (kill) => logKill(log, kill),
  });
  hostLoad.onChange = (busy) => {
    pool.allowLowPriority(!busy);
    sparql.pool.allowLowPriority(!busy);
  };
  hostLoad.start();
  const language = new LanguageService(pool);
  store.maintainWith((maintenance) => maintain(pool, maintenance));
  store.workOutWith((request) =>
    request.kind === 'plan-changes' ? pool.planChanges(request) : pool.buildChanges(request),
  );
  const contexts = new ContextService(store, pool, storing, base);
  const resources = new ResourceIndex(store, base);
  const garbageCollector = new ContentGarbageCollector(files, resources, (error) =>
    log.error({ err: error }, 'A content file could not be removed.'),
  );
  const close = async () => {
    hostLoad.stop();
    await server.close(CLOSE_GRACE_MS);
    await Promise.all([pool.close(CLOSE_GRACE_MS), sparql.pool.close(CLOSE_GRACE_MS)]);
    garbageCollector.stop();
    await store.close();
    await files.close();
  };
  const space = new LdpSpace(store, base);
  const isNew = store.snapshot.quadCount === 0;
  try {
    if (!config.memory) await recordBase(store, base, config.baseChange, log);
    await loadFiles(config.load, store, pool, contexts.defaultGraph);
  } catch (error) {
    await server.close(0);
    await pool.close(0);
    throw error;
  }
  const rootMade = createRoot(space, store).then((error) => {
    if (error) log.warn(`The root container could not be created: ${error.message}`);
  });
  // If there are data already, they are readable during the first commit.
  if (isNew) await rootMade;
  garbageCollector.start();
  const content = new ContentService(resources, store, files, garbageCollector);
  router = new Router([
    ...contextRoutes(contexts, { base, maxBytes: config.maxRdfBody }),
    ...allResourceRoutes(config, base, {
      resources: new ResourceService(resources, store, garbageCollector, base),
      meta: new MetaService(resources, store, pool, storing),
      content,
    }),
    ...allLdpRoutes(config, base, rootMade, {
      space,
      documents: new LdpDocuments(store, pool),
      writes: new LdpWrites(space, store, pool, { files, garbageCollector, storing }, ldpSettings(config)),
      content,
    }),
    ...allSparqlRoutes(config, base, sparql.services, {
      contexts,
      dataset: new DatasetService(store, pool, storing, contexts, base),
    }),
    ...allLdPathRoutes(config, store, pool, language, resources, base),
    ...taskRoutes(new TaskService(pool, storing, transfers, sparql.pool), {
      cancel: !config.keepTasks,
      showCallers: !config.publicRead,
    }),
    ...healthRoutes(files),
  ]);
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return { url: `${scheme}://${host}:${server.port}`, base, quadCount: store.snapshot.quadCount, close };
}

async function recordBase(store: StoreClient, base: string, change: BaseChange, log: Log): Promise<void> {
  const { recorded } = await settleBase(store, base, change);
  void recorded.then((error) => {
    if (error) log.warn(`The base could not be recorded: ${error.message}`);
  });
}

interface AdapterParts extends Pick<HttpServerOptions, 'transfers' | 'handle'> {
  readonly accessControl: AccessControl;
  readonly log: Log;
}

function startAdapter(
  config: Config,
  { accessControl, log, transfers, handle }: AdapterParts,
): ReturnType<typeof startServer> {
  return startServer({
    host: config.host,
    port: config.port,
    basePath: config.base === undefined ? '' : basePath(config.base),
    maxBufferedBodies: config.maxBodiesHeld,
    maxBufferedResponses: config.maxAnswersHeld,
    bodyTimeMs: config.bodyTime * 1000,
    log,
    transfers,
    ...(log.isLevelEnabled('info') && { requestLog: new RequestLog(log) }),
    ...accessControl,
    handle: config.compress ? withCompression(handle) : handle,
  });
}

interface ResourceServices {
  readonly resources: ResourceService;
  readonly meta: MetaService;
  readonly content: ContentService;
}

function allResourceRoutes(
  config: Config,
  base: string,
  { resources, meta, content }: ResourceServices,
): Route[] {
  const { putMode, defaultRel, maxRdfBody, maxContent } = config;
  const metaOptions = { base, maxBytes: maxRdfBody };
  const contentOptions = { base, maxBytes: maxContent };
  const direct = storeDirectly(meta, metaOptions, content, contentOptions);
  return [
    ...resourceRoutes(resources, { base, putMode, defaultRel }, direct),
    ...metaRoutes(meta, metaOptions),
    ...contentRoutes(content, contentOptions),
  ];
}

function allLdpRoutes(config: Config, base: string, rootMade: Promise<void>, ldp: Ldp): Route[] {
  const { maxRdfBody: maxDocument, maxContent, maxPatch } = config;
  const routes = ldpRoutes(ldp, { base, maxDocument, maxContent, maxPatch });
  return [...deferRoutes(routes, rootMade), ...ldpConstraintRoutes()];
}

function ldpSettings({ ldpModel, ldpIfMatch, maxPatch }: Config): LdpSettings {
  return {
    defaultModel: ldpModel === 'container' ? 'basic' : 'rdf-source',
    requireIfMatch: ldpIfMatch === 'required',
    patchBytes: maxPatch,
  };
}

function allLdPathRoutes(
  config: Config,
  store: StoreClient,
  pool: Pool,
  language: LanguageService,
  resources: ResourceIndex,
  base: string,
): Route[] {
  const { maxProgram: maxBytes, maxResult, maxBatchBody, batchUris, debugUris: maxStarts } = config;
  const paths = new LdPathService(resources, pool, { sourceBytes: maxBytes, resultBytes: maxResult });
  const completion = new CompletionService(new IriSearch(store, pool), language);
  return [
    ...ldPathRoutes(paths, { maxBytes }),
    ...ldPathDebugRoutes(paths, { maxBytes, maxStarts }),
    ...ldPathBatchRoutes(paths, { base, maxBytes: maxBatchBody, maxStarts: batchUris }),
    ...ldPathFunctionRoutes(language),
    ...ldPathUtilRoutes({
      completion,
      paths,
      prefixes: prefixTable(base, config.prefix),
      maxStarts,
    }),
  ];
}

interface GraphStoreServices {
  readonly contexts: ContextService;
  readonly dataset: DatasetService;
}

function allSparqlRoutes(
  { sparqlDefaultGraph: defaultGraph, maxRdfBody: maxBytes, maxQuery }: Config,
  base: string,
  sparql: SparqlServices,
  { contexts, dataset }: GraphStoreServices,
): Route[] {
  return [
    ...sparqlRoutes(sparql, { base, defaultGraph, maxQuery, maxUpdate: maxBytes }),
    ...graphStoreRoutes(contexts, { base, maxBytes }, datasetReader(dataset)),
    ...datasetRoutes(dataset, { base, maxBytes }),
  ];
}

async function maintain(pool: Pool, maintenance: Maintenance): Promise<MaintenanceOutcome> {
  if (maintenance.kind === 'compact') {
    return { kind: 'compact', result: await pool.compact(maintenance.compaction) };
  }
  const { snapshot, directory, lease, imageFile } = maintenance;
  const result = await pool.checkpoint({ snapshot, directory, lease, imageFile });
  return { kind: 'checkpoint', result };
}

function basePath(base: string): string {
  return new URL(base).pathname.replace(/\/$/, '');
}

function starting(request: HttpRequest): HttpResponse {
  const error = new AppError('overloaded', 'The server is starting.', { retryAfter: 1 });
  return problemResponse(toErrorData(error), request);
}
