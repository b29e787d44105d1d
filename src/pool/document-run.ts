import type { Result } from '../errors.ts';
import type { HeavySubmission } from './heavy-job.ts';
import type { DocumentJob, DocumentsJob, DocumentsOutput } from './messages.ts';
import { SteppedRun } from './stepped-run.ts';

/**
 * Small documents on their thread, one or several. Their bytes are copied to it, so that a document can go to another
 * thread when this one ends under its neighbour.
 */
export class DocumentRun extends SteppedRun<HeavySubmission> {
  /** What the thread is handed. The queue of small documents holds no jobs of another kind. */
  job(): DocumentsJob {
    const slot = this.seat.index;
    const documents = Array.from(this.members(), ({ work }) => work.job(slot) as DocumentJob);
    return { kind: 'documents', documents, slot };
  }

  stepMs(step: number): number {
    return this.member(step)?.work.stepMs ?? Number.POSITIVE_INFINITY;
  }

  complete(output: unknown): [] {
    const result = output as Result<DocumentsOutput>;
    for (let step = 0; step < this.size; step++) {
      this.member(step)?.settle(result.ok ? result.value[step]! : result);
    }
    return [];
  }
}
