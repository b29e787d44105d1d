/** A thread that parses files for `pathpool load`. */
import { parentPort } from 'node:worker_threads';
import type { QuadBlock } from '../src/graph/quad-block.ts';
import type { ParsedPart, ParseMessage } from '../src/load/parsers.ts';
import { toUtf8 } from '../src/rdf/decode.ts';
import { parseNQuads } from '../src/rdf/parse-nquads.ts';
import { failure, leavingBlock, outcome } from './outcome.ts';

const LINE_FEED = 0x0a;

/** One after another, since what comes back is told apart by its order. */
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

async function parsed({ bytes, mediaType, baseIri, keepLabels }: ParseMessage): Promise<ParsedPart> {
  const graphs = mediaType === 'application/n-quads';
  const block = keepLabels
    ? parseNQuads(toUtf8(bytes, undefined), { freshBlankNodes: false, graphs })
    : await parseDocument(bytes, mediaType, baseIri);
  return { block: leavingBlock(block), lines: keepLabels ? countLines(bytes) : 0 };
}

/** The parsers of the other formats take longer to load than a small file of lines to parse. */
async function parseDocument(bytes: Uint8Array, mediaType: string, baseIri: string): Promise<QuadBlock> {
  const { parseRdf } = await import('../src/rdf/parse.ts');
  return parseRdf(bytes, { mediaType, baseIri });
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
}
