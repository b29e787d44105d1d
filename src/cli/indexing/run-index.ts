/** `pathpool index`: keeps a search index equal to the results of a stored program. */
import { Indexer, type IndexReports } from '../../indexing/indexer.ts';
import { PathpoolSource } from '../../indexing/pathpool-source.ts';
import { FileTarget } from '../../indexing/targets/file-target.ts';
import { OpenSearchTarget } from '../../indexing/targets/opensearch-target.ts';
import { SearchServer } from '../../indexing/targets/search-server.ts';
import { SolrTarget } from '../../indexing/targets/solr-target.ts';
import type { Target } from '../../indexing/targets/target.ts';
import { IndexDisplay } from './index-display.ts';
import type { IndexOptions } from './options.ts';

/**
 * Runs until the index is up to date, or until the signal is aborted. Returns the number of
 * resources whose program failed. Throws errors that would occur again.
 */
export async function runIndex(options: IndexOptions, signal: AbortSignal): Promise<number> {
  const { server: url, program, authorization, once, rebuild } = options;
  const source = new PathpoolSource({ url, program, authorization, signal });
  const target = targetOf(options, signal);
  const display = new IndexDisplay(target.name, !once);
  const reports: IndexReports = display;
  const indexer = new Indexer({ source, target, follows: !once, rebuilds: rebuild, reports, signal });
  try {
    await indexer.run();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    display.end();
  }
  return indexer.failures;
}

function targetOf({ target, program, targetAuthorization }: IndexOptions, signal: AbortSignal): Target {
  if (target.kind === 'file') return new FileTarget(target.directory);
  const { url } = target;
  const server = new SearchServer({ url, authorization: targetAuthorization, signal });
  return target.kind === 'solr'
    ? new SolrTarget(server, url, program)
    : new OpenSearchTarget(server, url, program);
}
