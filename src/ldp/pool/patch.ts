import type { LdpPatch } from '../../pool/messages.ts';
import { toUtf8 } from '../../rdf/formats/decode-text.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { ShownTarget } from './body.ts';
import { changesOf } from './patch-changes.ts';
import { readRdfPatch } from './rdf-patch.ts';
import { readSparqlUpdate } from './sparql/read-patch.ts';

const RDF_PATCH = 'application/rdf-patch';

/** A patch as a client sent it, decoded. `mediaType`: one of the two supported types. */
export interface PatchDocument {
  readonly mediaType: string;
  readonly body: Uint8Array;
}

/**
 * Returns the changes of a patch to the user triples of an RDF source (http-api 5.10). With
 * `brief`, returns null or throws `LengthyDocumentError` if it may take longer than a few
 * milliseconds.
 */
export function readPatch(
  reader: SnapshotReader,
  shown: ShownTarget,
  { mediaType, body }: PatchDocument,
  brief: boolean,
): LdpPatch | null {
  const text = Buffer.from(toUtf8(body, undefined)).toString();
  const steps =
    mediaType === RDF_PATCH
      ? readRdfPatch(text, shown.target, brief)
      : readSparqlUpdate(reader, shown, text, brief);
  return steps && changesOf(reader, shown, steps);
}
