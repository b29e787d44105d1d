import { parsedParts } from '../../load/parsed-parts.ts';
import { Parsers } from '../../load/parser-threads.ts';
import { sourceFile } from '../../load/source-file.ts';
import { readPrefixes } from '../../rdf/model/names/declared-prefixes.ts';
import { NO_GRAPH, type QuadBlock } from '../../rdf/model/quad-block.ts';

/** A quad in N-Triples form. The graph is undefined if the file names none. */
export interface DumpQuad {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly graph: string | undefined;
}

export interface DumpNotes {
  /** How far the reading of all files is, in bytes. */
  readonly progress: (done: number, total: number) => void;
  /** A prefix that a file declares. */
  readonly prefix?: (name: string, namespace: string) => void;
}

/**
 * Yields the quads of all files. Labels of blank nodes are distinct between files. Errors:
 * `parse-error` with file, line and column, `not-found`, `unsupported-media-type`.
 */
export async function* quadsIn(files: readonly string[], notes: DumpNotes): AsyncGenerator<DumpQuad> {
  const sources = await Promise.all(files.map((file) => sourceFile(file, '')));
  const total = sources.reduce((sum, { loaded }) => sum + loaded.bytes, 0);
  const parsers = new Parsers({});
  let read = 0;
  let file = 0;
  try {
    for await (const [part, { block }] of parsedParts(parsers, sources, new AbortController().signal)) {
      for (const [name, namespace] of readPrefixes(block.prefixes ?? '')) notes.prefix?.(name, namespace);
      yield* quadsOf(block, `_:f${file}x`);
      if (part.isLast) file++;
      read += part.read;
      notes.progress(read, total);
    }
  } finally {
    await parsers.close();
  }
}

function* quadsOf({ termBytes, termOffsets, quads }: QuadBlock, blankPrefix: string): Generator<DumpQuad> {
  const text = Buffer.from(termBytes.buffer, termBytes.byteOffset, termBytes.byteLength);
  const terms = Array.from({ length: termOffsets.length - 1 }, (_, index) => {
    const term = text.toString('utf8', termOffsets[index]!, termOffsets[index + 1]!);
    return term.startsWith('_:') ? blankPrefix + term.slice(2) : term;
  });
  for (let i = 0; i < quads.length; i += 4) {
    const graph = quads[i + 3]!;
    yield {
      subject: terms[quads[i]!]!,
      predicate: terms[quads[i + 1]!]!,
      object: terms[quads[i + 2]!]!,
      graph: graph === NO_GRAPH ? undefined : terms[graph],
    };
  }
}

export function hasBlankNode({ subject, object }: DumpQuad): boolean {
  return subject.startsWith('_:') || object.startsWith('_:');
}

/** The triple in N-Triples, without the line end. */
export function lineOf({ subject, predicate, object }: DumpQuad): string {
  return `${subject} ${predicate} ${object} .`;
}
