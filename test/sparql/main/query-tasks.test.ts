import assert from 'node:assert/strict';
import { test } from 'node:test';
import { iriPatterns } from '../../../src/rdf/model/resources/iri-patterns.ts';
import { SparqlSubmission } from '../../../src/sparql/main/query-submission.ts';
import { taskOf } from '../../../src/sparql/main/query-tasks.ts';
import { ThreadStatus } from '../../../src/sparql/thread-status.ts';

test('G-161: the task of a client that sees some graphs does not count the triples of all', () => {
  const progressOf = (visible?: readonly string[]) => {
    const query = { text: 'ASK {}', baseIri: 'urn:b', dataset: undefined, mediaType: 'text/csv' };
    const patterns = visible && iriPatterns(visible);
    const job = { kind: 'query', query: { ...query, visible: patterns } } as const;
    const submission = new SparqlSubmission(job, 0, undefined, () => {});
    const status = new ThreadStatus();
    status.step = 'filling';
    status.progress = 1_000;
    submission.thread = { name: 'sparql-1', status, batch: { submissions: [submission], started: 0 } };
    const { progress, unit } = taskOf(submission);
    return { progress, unit };
  };
  assert.deepEqual(progressOf(), { progress: 1_000, unit: 'triples' });
  assert.deepEqual(progressOf(['urn:open']), { progress: 0, unit: null });
});
