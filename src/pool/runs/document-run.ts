import type { Result } from '../../errors.ts';
import type { DocumentJob, DocumentsJob, DocumentsOutput } from '../messages.ts';
import type { HeavySubmission } from './heavy-job.ts';
import { SteppedRun } from './stepped-run.ts';

/**
 * One or several small documents on their thread. Their bytes are copied to it, so that a document
 * can move to another thread if one of the others terminates this thread.
 */
export class DocumentRun extends SteppedRun<HeavySubmission> {
  /**
   * Returns the message for the thread. The queue of small documents has no jobs of another kind.
   */
  job(): DocumentsJob {
    const slot = this.workerSlot.index;
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
