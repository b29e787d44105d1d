import type { InteractionModel, MembershipConfiguration } from '../../../src/ldp/model/kinds.ts';
import type { LdpOperation } from '../../../src/ldp/store/operation.ts';
import { parseRdf } from '../../../src/rdf/formats/parse-document.ts';
import type { QuadBlock } from '../../../src/rdf/model/quad-block.ts';
import type { QuadCursor } from '../../../src/rdf/model/quad-cursor.ts';
import { openSnapshot, type SnapshotReader } from '../../../src/snapshot/read/reader.ts';
import type { Operation } from '../../../src/store/main/transaction.ts';
import type { Store } from '../../../src/store/thread/store.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { commit, openOn } from '../../support/stores.ts';

export const ROOT = 'http://base/ldp';
export const PREFIXES = `
  @prefix ex: <http://example.org/> .
  @prefix ldp: <http://www.w3.org/ns/ldp#> .
  @prefix dct: <http://purl.org/dc/terms/> .
  @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
`;

export function turtle(text: string, baseIri: string): QuadBlock {
  return parseRdf(Buffer.from(PREFIXES + text), { mediaType: 'text/turtle', baseIri });
}

export interface NewResource {
  readonly model?: InteractionModel;
  readonly configuration?: MembershipConfiguration;
  readonly body?: string;
}

/** A store with an LDP space, of which the root container is there. */
export class Space {
  readonly store: Store;

  private constructor(store: Store) {
    this.store = store;
  }

  static async open(): Promise<Space> {
    const space = new Space(await openOn(new SimDisk({ seed: 1 })));
    await space.commit({ kind: 'ldp-root', target: ROOT, label: 'All resources' });
    return space;
  }

  get reader(): SnapshotReader {
    return openSnapshot(this.store.opened().snapshot);
  }

  commit(...operations: Operation[]) {
    return commit(this.store, ...operations);
  }

  /** `path`: below the root. Gives the URI. */
  async create(path: string, { model = 'rdf-source', configuration, body = '' }: NewResource = {}) {
    const target = `${ROOT}/${path}`;
    await this.commit(creation(target, model, configuration, turtle(body, target)));
    return target;
  }
}

export function creation(
  target: string,
  model: InteractionModel,
  configuration: MembershipConfiguration | undefined,
  block: QuadBlock,
): LdpOperation {
  const content =
    model === 'binary'
      ? { contentType: 'image/png', bytes: 3, digest: 'a'.repeat(64), modified: 1_760_000_000_000 }
      : null;
  return {
    kind: 'ldp-create',
    target,
    model,
    configuration: configuration ?? null,
    block,
    content,
    ancestors: true,
  };
}

/** Triples as lines of N-Triples, in the cursor's order. */
export function linesOf(cursor: QuadCursor): string[] {
  const { terms } = cursor;
  const text = (id: number) => Buffer.from(terms.bytes.subarray(terms.start(id), terms.end(id))).toString();
  const lines: string[] = [];
  while (cursor.next()) lines.push([cursor.subject, cursor.predicate, cursor.object].map(text).join(' '));
  return lines;
}

/** The triples of a block as sorted lines. */
export function blockLines({ quads, termBytes, termOffsets }: QuadBlock): string[] {
  const text = (index: number) =>
    Buffer.from(termBytes.subarray(termOffsets[index]!, termOffsets[index + 1]!)).toString();
  const lines: string[] = [];
  for (let at = 0; at < quads.length; at += 4) {
    lines.push([quads[at]!, quads[at + 1]!, quads[at + 2]!].map(text).join(' '));
  }
  return lines.sort();
}
