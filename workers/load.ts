/** A thread that parses files for `pathpool load`. */
import { parentPort } from 'node:worker_threads';
import type { ParsedPart, ParseMessage } from '../src/load/parsers.ts';
import { toUtf8 } from '../src/rdf/decode.ts';
import { parseRdf } from '../src/rdf/parse.ts';
import { parseNQuads } from '../src/rdf/parse-nquads.ts';
import { failure, leavingBlock, outcome } from './outcome.ts';

const LINE_FEED = 0x0a;

parentPort?.on('message', (message: ParseMessage) => {
  parentPort?.postMessage(parse(message));
});

function parse(message: ParseMessage): unknown {
  try {
    return outcome(parsed(message));
  } catch (error) {
    return failure(error);
  }
}

function parsed({ bytes, mediaType, baseIri, keepLabels }: ParseMessage): ParsedPart {
  const graphs = mediaType === 'application/n-quads';
  const block = keepLabels
    ? parseNQuads(toUtf8(bytes, undefined), { freshBlankNodes: false, graphs })
    : parseRdf(bytes, { mediaType, baseIri });
  return { block: leavingBlock(block), lines: keepLabels ? countLines(bytes) : 0 };
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
}
