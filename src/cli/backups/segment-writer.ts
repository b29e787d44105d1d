import { createHash, randomBytes } from 'node:crypto';
import type { Disk } from '../../journal/disk/disk.ts';
import { encodeGroup, encodeHeader } from '../../journal/record.ts';
import { linesOfBlocks, patchLines } from '../../store/patch/file.ts';
import { blocksOf, type PatchReference, referenceIn } from '../../store/patch/patch.ts';
import { countContents, type NamedContents } from './content-names.ts';
import type { SourceRecord } from './journal-source.ts';

/** See record.ts. */
const MARKER_BYTES = 8;

/** What records say beyond their rows. */
export interface SegmentFacts {
  /** The files that they name, and the numbers of the records. */
  readonly patches: { readonly reference: PatchReference; readonly commit: number }[];
  readonly contents: NamedContents;
  /** SHA-256 of the newest one; undefined without records. */
  newest: string | undefined;
}

export function noFacts(): SegmentFacts {
  return { patches: [], contents: new Map(), newest: undefined };
}

/**
 * Yields the bytes of a journal file with these records, and adds to `facts` what they say. Each
 * record is a group of its own.
 */
export async function* segmentBytes(
  records: AsyncIterable<SourceRecord>,
  { first, version }: { readonly first: number; readonly version: number },
  facts: SegmentFacts,
): AsyncGenerator<Uint8Array> {
  const marker = randomBytes(MARKER_BYTES);
  yield encodeHeader(first, version, marker);
  for await (const { sequence, payload } of records) {
    const reference = referenceIn(payload);
    if (reference) facts.patches.push({ reference, commit: sequence });
    const blocks = blocksOf(payload);
    if (blocks) for await (const rows of linesOfBlocks(blocks)) countContents(rows, facts.contents);
    else countContents(payload, facts.contents);
    facts.newest = recordDigest(payload);
    yield Buffer.concat(encodeGroup(marker, [{ sequence, payload: [payload] }]));
  }
}

/** Adds the content that the rows of a patch file name. Throws `data-damaged`. */
export async function countInPatch(
  disk: Disk,
  reference: PatchReference,
  contents: NamedContents,
): Promise<void> {
  for await (const rows of patchLines(disk, reference)) countContents(rows, contents);
}

export function recordDigest(payload: Uint8Array): string {
  return createHash('sha256').update(payload).digest('hex');
}
