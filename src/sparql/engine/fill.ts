import { serializeRdf } from '../../rdf/formats/serialize-quads.ts';
import { tagStart, tagWithCapitals } from '../../rdf/model/language/tag-case.ts';
import type { QuadCursor } from '../../rdf/model/quad-cursor.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { isTripleTermAt } from '../../rdf/model/triple-term.ts';
import { addQuad } from '../../rdf/oxigraph/terms.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { Oxigraph } from '../instance.ts';
import { type RepeatsReader, SameLiterals } from './same-literals.ts';
import type { Spellings } from './spellings.ts';
import { VisibleQuads } from './visible-quads.ts';

type Store = import('oxigraph').Store;

/** Bytes that are loaded in one call; a single quad may be longer. */
export const SLICE_BYTES = 1024 * 1024;
const GREATER = 0x3e;
const QUOTE = 0x22;
/** Literals whose spelling is looked up in one call. */
const SPELLED_TOGETHER = 10_000;
/** Triples whose graphs are compared in one pass, about 50 MB. */
const COMPARED_TOGETHER = 500_000;

/** The source of quads. */
export interface FillingSource {
  readonly oxigraph: Oxigraph;
  readonly reader: Pick<SnapshotReader, 'terms'>;
  /** Returns a term of the quads: of the snapshot, or with a provisional id. */
  readonly text: (id: TermId) => string;
}

/** The target and the source of filling. */
export interface Filling extends FillingSource {
  readonly store: Store;
  /** The graph whose quads go into the store's default graph. */
  readonly unnamed: TermId;
  /** Whether all quads go into the default graph. */
  readonly merges: boolean;
  readonly onProgress: OnProgress;
}

/**
 * Called repeatedly by operations that may take long. `quads`: the number of quads in the store;
 * omitted by other operations.
 */
export type OnProgress = (quads?: number) => void;

/** Puts quads into a store. Returns whether a triple occurred in several graphs. */
export function fillStore(filling: Filling, cursor: QuadCursor): boolean {
  const { oxigraph, store, reader, text } = filling;
  const slice = new Uint8Array(SLICE_BYTES);
  const quads = new VisibleQuads(reader, cursor, filling, (subject, predicate, object, graph) => {
    const ids = graph === NO_TERM ? [subject, predicate, object] : [subject, predicate, object, graph];
    addQuad(oxigraph, store, ids.map(text));
  });
  const mediaType = 'application/n-quads';
  for (const chunk of serializeRdf(quads, { mediaType, spare: () => slice })) {
    store.load(chunk, { format: mediaType, lenient: true });
    filling.onProgress(quads.count);
  }
  return quads.hasRepeated;
}

/** Finds the literals of a snapshot that Oxigraph writes differently. */
export function learnSpellings(
  oxigraph: Oxigraph,
  reader: SnapshotReader,
  spellings: Spellings,
  onProgress: OnProgress,
): void {
  const { bytes, ends } = reader.terms;
  const seen = new Uint8Array((reader.terms.termCount >>> 3) + 1);
  let terms: string[] = [];
  let length = 0;
  const learn = () => {
    spellings.learn(oxigraph, terms);
    onProgress();
    terms = [];
    length = 0;
  };
  const quads = reader.visibleQuads();
  while (quads.next()) {
    const { object } = quads;
    const bit = 1 << (object & 7);
    if ((seen[object >>> 3]! & bit) !== 0) continue;
    seen[object >>> 3]! |= bit;
    const [start, end] = [ends[object - 1]!, ends[object]!];
    const tag = tagStart(bytes, start, end);
    if (tag < end) spellings.noteTag(tagWithCapitals(bytes, tag, end));
    const isTyped = bytes[end - 1] === GREATER && bytes[start] === QUOTE;
    if (!isTyped && !isTripleTermAt(bytes, start)) continue;
    terms.push(reader.text(object));
    length += terms.at(-1)!.length;
    if (terms.length === SPELLED_TOGETHER || length > SLICE_BYTES) learn();
  }
  learn();
  spellings.noteLive();
}

/**
 * Whether several graphs contain a triple, if literals that Oxigraph considers equal count as
 * equal. Repeated triples with identical literals are detected by `fillStore`.
 */
export function hasRespelledRepeats(
  reader: RepeatsReader,
  spellings: Pick<Spellings, 'groups'>,
  onProgress: OnProgress,
  together = COMPARED_TOGETHER,
): boolean {
  for (const [changed, written] of spellings.groups) {
    onProgress();
    const canonical = reader.find(changed);
    const others = written.map((each) => reader.find(each)).filter((id) => id !== NO_TERM);
    if (others.length <= (canonical === NO_TERM ? 1 : 0)) continue;
    const group = new SameLiterals(reader, canonical, others, onProgress);
    if (group.areInSeveralGraphs(together)) return true;
  }
  return false;
}
