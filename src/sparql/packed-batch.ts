import type { PackedJob, SparqlJob } from './messages.ts';
import type { SparqlQuery } from './request.ts';

const parts = ['baseIri', 'mediaType', 'dataset', 'visible', 'prefixes'] as const;
const facts = ['form', 'isVolatile', 'order', 'computed', 'hasFrom', 'hasService'] as const;

export function packJobs(jobs: readonly SparqlJob[]): PackedJob[] {
  let last: SparqlQuery | undefined;
  return jobs.map((job) => {
    const before = last;
    last = job.kind === 'query' ? job.query : undefined;
    return before && last && isAlike(before, last) ? last.text : job;
  });
}

export function unpackJobs(packed: readonly PackedJob[]): SparqlJob[] {
  let last: SparqlQuery | undefined;
  return packed.map((each): SparqlJob => {
    const job = typeof each === 'string' ? { kind: 'query' as const, query: { ...last!, text: each } } : each;
    last = job.kind === 'query' ? job.query : undefined;
    return job;
  });
}

/**
 * Whether two queries differ only in their texts. Queries without special properties have equal
 * facts.
 */
function isAlike(one: SparqlQuery, other: SparqlQuery): boolean {
  return (
    parts.every((name) => one[name] === other[name]) &&
    facts.every((name) => one.facts?.[name] === other.facts?.[name])
  );
}
