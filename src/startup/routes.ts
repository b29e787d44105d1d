import { randomBytes } from 'node:crypto';
import type { ShownSettings } from '../cli/settings/shown-settings.ts';
import type { Config } from '../config.ts';
import { changeRoutes } from '../http/routes/changes/routes.ts';
import { Watch } from '../http/routes/changes/watch.ts';
import { consoleRoutes } from '../http/routes/console/routes.ts';
import { contentRoutes } from '../http/routes/content/routes.ts';
import { EarlierReads } from '../http/routes/contexts/earlier.ts';
import { contextRoutes } from '../http/routes/contexts/routes.ts';
import { datasetReader, datasetRoutes } from '../http/routes/dataset/routes.ts';
import { graphStoreRoutes } from '../http/routes/graph-store/routes.ts';
import { ldPathBatchRoutes } from '../http/routes/ldpath/batch-handler.ts';
import { ldPathCheckRoutes } from '../http/routes/ldpath/check/routes.ts';
import { ldPathDebugRoutes } from '../http/routes/ldpath/debug.ts';
import { ldPathFunctionRoutes } from '../http/routes/ldpath/functions.ts';
import { storedProgramRoutes } from '../http/routes/ldpath/programs/routes.ts';
import { EvaluationHandlers, ldPathRoutes } from '../http/routes/ldpath/routes.ts';
import { sentDataRoutes } from '../http/routes/ldpath/sent-data/routes.ts';
import { ldPathUtilRoutes } from '../http/routes/ldpath/util.ts';
import { metaRoutes } from '../http/routes/meta/routes.ts';
import { openApiRoutes } from '../http/routes/openapi/routes.ts';
import { storeDirectly } from '../http/routes/resources/direct.ts';
import { resourceRoutes } from '../http/routes/resources/routes.ts';
import { settingsRoutes } from '../http/routes/settings.ts';
import { sparqlRoutes } from '../http/routes/sparql/routes.ts';
import { taskRoutes } from '../http/routes/task-routes.ts';
import { deferRoutes } from '../http/server/deferred-routes.ts';
import type { Route } from '../http/server/router.ts';
import { ldpConstraintRoutes } from '../ldp/http/constraints-page.ts';
import { ldpRoutes } from '../ldp/http/routes.ts';
import { TaskFeed } from '../services/tasks/live-feed.ts';
import { ProcessNames, ProcessTasks } from '../services/tasks/process-tasks.ts';
import { readVersion } from '../version.ts';
import type { Cluster } from './cluster.ts';
import type { Services } from './create-services.ts';
import { prefixTable } from './prefix-file.ts';

/** What routes need besides the services. */
interface RouteParts {
  /** The routes for operators. */
  readonly monitoring: readonly Route[];
  readonly shown: ShownSettings;
  /** Whether there are credentials or tokens. */
  readonly isGuarded: boolean;
  /** Requests to the LDP space wait until its root container exists. */
  readonly rootMade: Promise<void>;
  /** Undefined on a single server. */
  readonly cluster?: Pick<Cluster, 'process' | 'tasks'> | undefined;
}

interface Run {
  readonly base: string;
  /** Letters and digits that differ at each start. */
  readonly run: string;
  /** The name of this process of a cluster. */
  readonly process?: string | undefined;
}

/** Returns all routes of the server. */
export function allRoutes(
  config: Config,
  base: string,
  services: Services,
  { monitoring, shown, isGuarded, rootMade, cluster }: RouteParts,
): Route[] {
  // Results may change with the software, its prefixes and its base, so their tags end with this
  // run.
  const run = randomBytes(5).toString('hex');
  const names = cluster && new ProcessNames(cluster.process);
  const { readThreads, changes } = services;
  const taskOptions = {
    cancel: !config.keepTasks,
    showCallers: !config.publicRead,
    feed: new TaskFeed({ tasks: services.tasks, readThreads, names }, changes),
    ...(cluster && { others: cluster.tasks }),
  };
  const tasks = cluster ? new ProcessTasks(services.tasks, cluster.process) : services.tasks;
  const redirectsWrites = cluster !== undefined && config.clusterRedirect;
  const guarded = config.publicRead ? 'writes' : 'everything';
  const description = {
    base,
    version: readVersion(),
    guards: isGuarded ? guarded : 'nothing',
    redirectsWrites,
  } as const;
  const watch = new Watch(services.changes);
  const earlier = new EarlierReads(services.graphHistory, base);
  const routes: Route[] = [
    ...contextRoutes(services.contexts, { base, maxBytes: config.maxRdfBody, earlier, watch }),
    ...allResourceRoutes(config, base, services, watch),
    ...deferRoutes(allLdpRoutes(config, base, services, watch), rootMade),
    ...ldpConstraintRoutes(),
    ...allSparqlRoutes(config, { base, run, earlier }, services),
    ...allLdPathRoutes(config, { base, run, process: cluster?.process }, services),
    ...changeRoutes(services.changes),
    ...taskRoutes(tasks, taskOptions),
    ...monitoring,
    ...settingsRoutes(shown),
    ...openApiRoutes(() => routes, description),
    ...(config.console === 'on' ? consoleRoutes(base) : []),
  ];
  return routes;
}

function allResourceRoutes(
  config: Config,
  base: string,
  { resources, meta, content }: Services,
  watch: Watch,
): Route[] {
  const { putMode, defaultRel, maxRdfBody, maxContent, console: withConsole } = config;
  const metaOptions = { base, maxBytes: maxRdfBody };
  const contentOptions = { base, maxBytes: maxContent };
  const direct = storeDirectly(meta, metaOptions, content, contentOptions);
  return [
    ...resourceRoutes(resources, { base, putMode, defaultRel, watch, page: withConsole === 'on' }, direct),
    ...metaRoutes(meta, metaOptions),
    ...contentRoutes(content, contentOptions),
  ];
}

function allLdpRoutes(config: Config, base: string, { ldp }: Services, watch: Watch): Route[] {
  const { maxRdfBody: maxDocument, maxContent, maxPatch } = config;
  return ldpRoutes(ldp, { base, maxDocument, maxContent, maxPatch, watch });
}

function allSparqlRoutes(
  config: Config,
  { base, run, earlier }: Run & { readonly earlier: EarlierReads },
  { sparql, contexts, dataset }: Services,
): Route[] {
  const { sparqlDefaultGraph: defaultGraph, maxRdfBody: maxBytes, maxQuery } = config;
  return [
    ...sparqlRoutes(sparql, { base, defaultGraph, run, maxQuery, maxUpdate: maxBytes }),
    ...graphStoreRoutes(contexts, { base, maxBytes, earlier }, datasetReader(dataset)),
    ...datasetRoutes(dataset, { base, maxBytes }),
  ];
}

function allLdPathRoutes(
  config: Config,
  { base, run, process }: Run,
  { paths, programs, programFeed, language, completion }: Services,
): Route[] {
  const { maxProgram: maxBytes, maxBatchBody, batchUris, debugUris: maxStarts } = config;
  const prefixes = prefixTable(base, config.prefix);
  const evaluations = new EvaluationHandlers(paths, programs, { maxBytes, run });
  return [
    ...ldPathRoutes(evaluations),
    ...storedProgramRoutes(programs, evaluations, programFeed, { base, maxBytes }),
    ...ldPathCheckRoutes(paths, maxBytes),
    ...ldPathDebugRoutes(paths, programs, { maxBytes, maxStarts }),
    ...ldPathBatchRoutes(paths, programs, {
      base,
      maxBytes: maxBatchBody,
      maxStarts: batchUris,
      run,
      process,
    }),
    ...sentDataRoutes(paths, {
      programs,
      base: `${base}/`,
      maxStarts: batchUris,
      maxJson: maxBatchBody,
      maxForm: config.maxRdfBody,
    }),
    ...ldPathFunctionRoutes(language),
    ...ldPathUtilRoutes({ completion, paths, prefixes, maxStarts }),
  ];
}
