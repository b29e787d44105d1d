import { createHash } from 'node:crypto';
import type { Config } from '../config.ts';
import { contentRoutes } from '../http/routes/content/routes.ts';
import { contextRoutes } from '../http/routes/contexts/routes.ts';
import { datasetReader, datasetRoutes } from '../http/routes/dataset/routes.ts';
import { graphStoreRoutes } from '../http/routes/graph-store/routes.ts';
import { type Health, healthRoutes } from '../http/routes/health.ts';
import { ldPathBatchRoutes } from '../http/routes/ldpath/batch-handler.ts';
import { ldPathDebugRoutes } from '../http/routes/ldpath/debug.ts';
import { ldPathFunctionRoutes } from '../http/routes/ldpath/functions.ts';
import { ldPathRoutes } from '../http/routes/ldpath/routes.ts';
import { ldPathUtilRoutes } from '../http/routes/ldpath/util.ts';
import { metaRoutes } from '../http/routes/meta/routes.ts';
import { storeDirectly } from '../http/routes/resources/direct.ts';
import { resourceRoutes } from '../http/routes/resources/routes.ts';
import { sparqlRoutes } from '../http/routes/sparql/routes.ts';
import { taskRoutes } from '../http/routes/task-routes.ts';
import { deferRoutes } from '../http/server/deferred-routes.ts';
import type { Route } from '../http/server/router.ts';
import { ldpConstraintRoutes } from '../ldp/http/constraints-page.ts';
import { ldpRoutes } from '../ldp/http/routes.ts';
import { readVersion } from '../version.ts';
import type { Services } from './create-services.ts';
import { prefixTable } from './prefix-file.ts';

/** What routes need besides the services. */
interface RouteParts {
  readonly health: Health;
  /** Requests to the LDP space wait until its root container exists. */
  readonly rootMade: Promise<void>;
}

/** Returns all routes of the server. */
export function allRoutes(
  config: Config,
  base: string,
  services: Services,
  { health, rootMade }: RouteParts,
): Route[] {
  const taskOptions = { cancel: !config.keepTasks, showCallers: !config.publicRead };
  return [
    ...contextRoutes(services.contexts, { base, maxBytes: config.maxRdfBody }),
    ...allResourceRoutes(config, base, services),
    ...deferRoutes(allLdpRoutes(config, base, services), rootMade),
    ...ldpConstraintRoutes(),
    ...allSparqlRoutes(config, base, services),
    ...allLdPathRoutes(config, base, services),
    ...taskRoutes(services.tasks, taskOptions),
    ...healthRoutes(health),
  ];
}

function allResourceRoutes(config: Config, base: string, { resources, meta, content }: Services): Route[] {
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

function allLdpRoutes(config: Config, base: string, { ldp }: Services): Route[] {
  const { maxRdfBody: maxDocument, maxContent, maxPatch } = config;
  return ldpRoutes(ldp, { base, maxDocument, maxContent, maxPatch });
}

function allSparqlRoutes(config: Config, base: string, { sparql, contexts, dataset }: Services): Route[] {
  const { sparqlDefaultGraph: defaultGraph, maxRdfBody: maxBytes, maxQuery } = config;
  const configuration = configurationDigest(prefixTable(base, config.prefix));
  return [
    ...sparqlRoutes(sparql, { base, defaultGraph, configuration, maxQuery, maxUpdate: maxBytes }),
    ...graphStoreRoutes(contexts, { base, maxBytes }, datasetReader(dataset)),
    ...datasetRoutes(dataset, { base, maxBytes }),
  ];
}

function allLdPathRoutes(config: Config, base: string, { paths, language, completion }: Services): Route[] {
  const { maxProgram: maxBytes, maxBatchBody, batchUris, debugUris: maxStarts } = config;
  const prefixes = prefixTable(base, config.prefix);
  return [
    ...ldPathRoutes(paths, { maxBytes, configuration: configurationDigest(prefixes) }),
    ...ldPathDebugRoutes(paths, { maxBytes, maxStarts }),
    ...ldPathBatchRoutes(paths, { base, maxBytes: maxBatchBody, maxStarts: batchUris }),
    ...ldPathFunctionRoutes(language),
    ...ldPathUtilRoutes({ completion, paths, prefixes, maxStarts }),
  ];
}

/**
 * Returns letters and digits that change with the software and with the prefixes of paths, which
 * include those of the base.
 */
function configurationDigest(prefixes: Readonly<Record<string, string>>): string {
  const parts = JSON.stringify([readVersion(), process.version, prefixes]);
  return createHash('sha256').update(parts).digest('hex').slice(0, 10);
}
