import type { ProgramFeed } from '../../../../services/changes/program-feed.ts';
import { type Endpoint, endpoint } from '../../../description/endpoint.ts';
import { nameIn, withQuery } from '../../../parameters.ts';
import { nothingAtPath } from '../../../problem.ts';
import type { Query } from '../../../query.ts';
import { type HttpRequest, type PendingResult, rejection } from '../../../server/message.ts';
import type { Route } from '../../../server/router.ts';
import type { EvaluationHandlers } from '../routes.ts';
import { sendProgramChanges } from './changes-handler.ts';
import {
  evaluateStored,
  listPrograms,
  readProgram,
  readProgramChanges,
  removeProgram,
  storeProgram,
} from './operations.ts';
import { ProgramReads } from './read.ts';
import type { Programs } from './service.ts';
import { ProgramWrites } from './write.ts';

export interface ProgramOptions {
  /** Base URI of the server, without a trailing slash. */
  readonly base: string;
  /** Maximum bytes of a decoded program. */
  readonly maxBytes: number;
}

const PATH = '/ldpath/programs';

/** Handles GET of what belongs to a program. */
type PartHandler = (name: string, request: HttpRequest, query: Query) => PendingResult;

/** Routes for stored programs (http-api 4.12). */
export function storedProgramRoutes(
  programs: Programs,
  evaluations: Pick<EvaluationHandlers, 'ofStored'>,
  feed: Pick<ProgramFeed, keyof ProgramFeed>,
  { base, maxBytes }: ProgramOptions,
): Route[] {
  const reads = new ProgramReads(programs, base);
  const writes = new ProgramWrites(programs, maxBytes);
  const parts: Readonly<Record<string, PartHandler>> = {
    changes: (name, request, query) => sendProgramChanges(feed, name, request, query),
    results: (name, request, query) => evaluations.ofStored(name, request, query),
  };
  const list = withQuery((request) => reads.list(request));
  const read = withQuery((request, _query, rest) => reads.read(request, nameIn(rest)));
  const replace = withQuery((request, query, rest) => writes.replace(request, query, nameIn(rest)));
  const remove = withQuery((request, _query, rest) => writes.remove(request, nameIn(rest)));
  return [
    { path: PATH, methods: { GET: endpoint(list, listPrograms) } },
    {
      path: PATH,
      tail: 1,
      methods: {
        GET: endpoint(read, readProgram),
        PUT: endpoint(replace, storeProgram),
        DELETE: endpoint(remove, removeProgram),
      },
    },
    { path: PATH, tail: 2, methods: { GET: partsEndpoint(parts) } },
  ];
}

/** Handles GET of `{name}/{part}`. */
function partsEndpoint(parts: Readonly<Record<string, PartHandler>>): Endpoint {
  const read = withQuery((request, query, rest) => {
    const [name = '', part = ''] = rest.split('/');
    const handle = Object.hasOwn(parts, part) ? parts[part] : undefined;
    return handle ? handle(nameIn(name), request, query) : rejection(nothingAtPath);
  });
  return endpoint(read, evaluateStored, readProgramChanges);
}
