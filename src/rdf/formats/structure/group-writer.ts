import type { TermId } from '../../model/term-id.ts';
import type { ChunkWriter } from '../chunk-writer.ts';

/** A format with nested output: graphs, in them subjects, predicates and objects. */
export interface GroupWriter {
  readonly output: ChunkWriter;
  begin(): void;
  /** `name`: canonical form, empty if no graph is named. */
  openGraph(name: Uint8Array): void;
  openSubject(subject: TermId): void;
  /** `isSingle`: whether the predicate has only one object. */
  openPredicate(predicate: TermId, isSingle: boolean): void;
  /** An object of the predicate, or an item of the list that was opened last. */
  object(object: TermId): void;
  closePredicate(): void;
  closeSubject(): void;
  closeGraph(): void;
  end(): void;
  /** Called when the output up to here has been passed on. */
  flushed(): void;
}

/** A format that can write blank nodes in the place where they are the object. */
export interface NestingWriter extends GroupWriter {
  /** Whether all blank nodes can be written so, or only lists. */
  readonly nests: 'nodes' | 'lists';
  /** In place of `object`. Predicates follow. `triples`: their number. */
  openNode(triples: number): void;
  closeNode(): void;
  /** In place of `object`. Items follow. */
  openList(): void;
  closeList(): void;
}
