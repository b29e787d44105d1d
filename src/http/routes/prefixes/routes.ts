import { endpoint } from '../../description/endpoint.ts';
import { nameIn, withQuery } from '../../parameters.ts';
import type { Route } from '../../server/router.ts';
import { MarmottaPrefixes } from './marmotta.ts';
import {
  addAsMarmotta,
  listAsMarmotta,
  listPrefixes,
  readAsMarmotta,
  readPrefix,
  removeAsMarmotta,
  removePrefix,
  storePrefix,
} from './operations.ts';
import { PrefixReads } from './read.ts';
import type { PrefixOptions, PrefixTableService } from './service.ts';
import { PrefixWrites } from './write.ts';

/** Routes for the table of prefixes (http-api 4.15). */
export function prefixRoutes(prefixes: PrefixTableService, options: PrefixOptions): Route[] {
  const reads = new PrefixReads(prefixes, options);
  const writes = new PrefixWrites(prefixes);
  const list = withQuery((request, query) => reads.list(request, query));
  const read = withQuery((request, _query, rest) => reads.read(request, nameIn(rest)));
  const replace = withQuery((request, _query, rest) => writes.replace(request, nameIn(rest)));
  const remove = withQuery((request, _query, rest) => writes.remove(request, nameIn(rest)));
  return [
    { path: '/prefixes', methods: { GET: endpoint(list, listPrefixes) } },
    {
      path: '/prefixes',
      tail: 1,
      methods: {
        GET: endpoint(read, readPrefix),
        PUT: endpoint(replace, storePrefix),
        DELETE: endpoint(remove, removePrefix),
      },
    },
    ...marmottaRoutes(new MarmottaPrefixes(prefixes, writes)),
  ];
}

function marmottaRoutes(marmotta: MarmottaPrefixes): Route[] {
  const list = withQuery((request) => marmotta.list(request));
  const read = withQuery((request, query, rest) => marmotta.read(request, nameIn(rest), query));
  const add = withQuery((request, query, rest) => marmotta.add(request, nameIn(rest), query));
  const remove = withQuery((request, _query, rest) => marmotta.remove(request, nameIn(rest)));
  return [
    { path: '/prefix', methods: { GET: endpoint(list, listAsMarmotta) } },
    {
      path: '/prefix',
      tail: 1,
      methods: {
        GET: endpoint(read, readAsMarmotta),
        POST: endpoint(add, addAsMarmotta),
        DELETE: endpoint(remove, removeAsMarmotta),
      },
    },
  ];
}
