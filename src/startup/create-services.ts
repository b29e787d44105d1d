import type { ChangeHistory } from '../changes/main/change-history.ts';
import type { Config } from '../config.ts';
import type { SparqlServices } from '../http/routes/sparql/services.ts';
import type { Ldp } from '../ldp/http/service.ts';
import { LdpDocuments } from '../ldp/main/documents.ts';
import { LdpSpace } from '../ldp/main/space.ts';
import { type LdpSettings, LdpWrites } from '../ldp/main/writes.ts';
import type { Log } from '../log.ts';
import type { Pool } from '../pool/pool.ts';
import type { ThreadReading } from '../pool/threads/work-meter.ts';
import { ProgramFeed } from '../services/changes/program-feed.ts';
import { ChangeService } from '../services/changes/service.ts';
import { ContentService } from '../services/content/content.ts';
import { ContentGarbageCollector } from '../services/content/garbage-collector.ts';
import { ContextService } from '../services/contexts/contexts.ts';
import { GraphHistory } from '../services/contexts/graph-history.ts';
import { DatasetService } from '../services/dataset/service.ts';
import { CompletionService } from '../services/ldpath/completion.ts';
import { IriSearch } from '../services/ldpath/iri-completion.ts';
import { LanguageService } from '../services/ldpath/language.ts';
import { LdPathService } from '../services/ldpath/ldpath.ts';
import { StoredPrograms } from '../services/ldpath/stored-programs.ts';
import { PrefixService } from '../services/prefixes/service.ts';
import { ResourceIndex } from '../services/resources/existence.ts';
import { MetaService } from '../services/resources/meta.ts';
import { ResourceService } from '../services/resources/resources.ts';
import { SparqlQueries } from '../services/sparql/queries.ts';
import { SparqlUpdates } from '../services/sparql/updates.ts';
import { ImportTasks } from '../services/tasks/import-tasks.ts';
import { TaskService } from '../services/tasks/listed-tasks.ts';
import { readServerThreads } from '../services/tasks/server-threads.ts';
import type { TransferTasks } from '../services/tasks/transfer-tasks.ts';
import type { SparqlPool } from '../sparql/main/pool.ts';
import type { ContentStore } from '../store/content/store-interface.ts';
import type { StoreClient } from '../store/main/client.ts';
import { fixedTable } from './prefix-file.ts';

/** Maximum number of quads that one SPARQL update may add and remove. */
const MAX_CHANGES = 4_000_000;
/**
 * How long a reader of changes waits for a commit that another process of the cluster may have, in
 * milliseconds.
 */
const AHEAD_MS = 5000;

/** What the services work on. */
export interface ServiceParts {
  readonly store: StoreClient;
  readonly history: ChangeHistory;
  readonly files: ContentStore;
  readonly pool: Pool;
  readonly sparqlPool: SparqlPool;
  readonly transfers: TransferTasks;
  readonly log: Log;
  /** Returns the date of new content, in milliseconds since 1970. */
  readonly now: () => number;
}

export interface Services {
  readonly changes: ChangeService;
  readonly contexts: ContextService;
  readonly graphHistory: GraphHistory;
  readonly dataset: DatasetService;
  readonly resources: ResourceService;
  readonly meta: MetaService;
  readonly content: ContentService;
  readonly garbageCollector: ContentGarbageCollector;
  readonly ldp: Ldp & { readonly space: LdpSpace };
  readonly sparql: SparqlServices;
  readonly language: LanguageService;
  readonly paths: LdPathService;
  readonly programs: StoredPrograms;
  readonly prefixes: PrefixService;
  readonly programFeed: ProgramFeed;
  readonly completion: CompletionService;
  readonly tasks: TaskService;
  /** Returns what all threads have done, and do now. */
  readonly readThreads: () => ThreadReading[];
}

/** Creates the services according to the settings. */
export function createServices(config: Config, base: string, parts: ServiceParts): Services {
  const { store, history, files, pool, sparqlPool, transfers, log, now } = parts;
  const imports = new ImportTasks();
  const prefixes = new PrefixService(store, fixedTable(base, config.prefix));
  const uploads = { store, pool, imports, prefixes };
  const contexts = new ContextService(uploads, base);
  const index = new ResourceIndex(store, base);
  const garbageCollector = new ContentGarbageCollector(files, index, (error) =>
    log.error({ err: error }, 'A content file could not be removed.'),
  );
  const contentStorage = { files, garbageCollector, now };
  const content = new ContentService(index, store, contentStorage);
  const space = new LdpSpace(store, base);
  const documents = new LdpDocuments(store, pool);
  const writeParts = { ...contentStorage, space, store, pool, documents, imports };
  const language = new LanguageService(pool);
  const paths = new LdPathService(index, pool, store, {
    sourceBytes: config.maxProgram,
    resultBytes: config.maxResult,
  });
  const programs = new StoredPrograms(store, paths);
  const changes = new ChangeService(store, history, {
    maxStreams: config.maxStreams,
    aheadMs: config.journal === undefined ? 0 : AHEAD_MS,
  });
  return {
    changes,
    programFeed: new ProgramFeed(changes, { store, pool, programs, paths, maxHeld: config.maxAnswersHeld }),
    contexts,
    graphHistory: new GraphHistory({ store, history, pool, defaultGraph: contexts.defaultGraph }),
    dataset: new DatasetService(uploads, contexts),
    resources: new ResourceService(index, store, garbageCollector, base),
    meta: new MetaService(index, store, pool, imports),
    content,
    garbageCollector,
    ldp: {
      space,
      documents,
      writes: new LdpWrites(writeParts, ldpSettings(config)),
      content,
    },
    sparql: {
      queries: new SparqlQueries(sparqlPool, store, prefixes),
      updates: new SparqlUpdates({
        pool,
        engine: sparqlPool,
        store,
        imports,
        prefixes,
        settings: {
          defaultGraphIs: config.sparqlDefaultGraph,
          defaultGraph: contexts.defaultGraph,
          ldpSpace: contexts.ldpSpace,
          maxChanges: MAX_CHANGES,
        },
      }),
    },
    language,
    paths,
    programs,
    prefixes,
    completion: new CompletionService(new IriSearch(store, pool), language),
    tasks: new TaskService(pool, imports, transfers, sparqlPool),
    readThreads: () => readServerThreads({ store, imports, pool, sparqlPool }),
  };
}

function ldpSettings({ ldpModel, ldpIfMatch, maxPatch }: Config): LdpSettings {
  return {
    defaultModel: ldpModel === 'container' ? 'basic' : 'rdf-source',
    requireIfMatch: ldpIfMatch === 'required',
    patchBytes: maxPatch,
  };
}
