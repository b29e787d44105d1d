/** A thread that parses files for `pathpool load`. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ParsedPart, ParseMessage, ParserData } from '../src/load/parser-threads.ts';
import { failure, outcome, shareOrCopyBlock } from '../src/pool/worker/transfer.ts';
import { requireUtf8, toUtf8 } from '../src/rdf/formats/decode-text.ts';
import { PreloadedContexts } from '../src/rdf/formats/jsonld/preloaded-contexts.ts';
import { NQuadsReader } from '../src/rdf/formats/nquads/parse.ts';
import type { QuadBlock } from '../src/rdf/model/quad-block.ts';

const contexts = new PreloadedContexts((workerData as ParserData).contexts);

/** Parses one message after another, since results are matched with messages by their order. */
let last: Promise<void> = Promise.resolve();
parentPort?.on('message', (message: ParseMessage) => {
  last = last.then(async () => parentPort?.postMessage(await parse(message)));
});

async function parse(message: ParseMessage): Promise<unknown> {
  try {
    return outcome(await parsed(message));
  } catch (error) {
    return failure(error);
  }
}

async function parsed({ bytes, mediaType, baseIri, keepLabels, isFirst }: ParseMessage): Promise<ParsedPart> {
  if (keepLabels) {
    const text = isFirst ? toUtf8(bytes, undefined) : requireUtf8(bytes);
    return parseLines(text, mediaType === 'application/n-quads');
  }
  return { block: shareOrCopyBlock(await parseDocument(bytes, mediaType, baseIri)), lines: 0 };
}

function parseLines(bytes: Uint8Array, graphs: boolean): ParsedPart {
  const reader = new NQuadsReader(bytes.length, { freshBlankNodes: false, graphs, iriGraphs: true });
  reader.read(bytes);
  return { block: shareOrCopyBlock(reader.finish()), lines: reader.lines };
}

/** Loading the parsers of the other formats takes longer than parsing a small file of lines. */
async function parseDocument(bytes: Uint8Array, mediaType: string, baseIri: string): Promise<QuadBlock> {
  const { parseRdf } = await import('../src/rdf/formats/parse-document.ts');
  return parseRdf(bytes, { mediaType, baseIri, contexts });
}
