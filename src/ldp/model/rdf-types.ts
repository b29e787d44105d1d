import type { LdpKind } from './kinds.ts';
import { ldp } from './vocabulary.ts';

/**
 * Returns the types that the server states for a kind of resource (http-api 5.2, 5.3), including
 * those that could be inferred (L-10).
 */
export function typesOf(kind: LdpKind): readonly string[] {
  switch (kind) {
    case 'binary':
      return [ldp.Resource, ldp.NonRDFSource];
    case 'rdf-source':
    case 'description':
      return [ldp.Resource, ldp.RDFSource];
    case 'basic':
      return [...container, ldp.BasicContainer];
    case 'direct':
      return [...container, ldp.DirectContainer];
    case 'indirect':
      return [...container, ldp.IndirectContainer];
  }
}

const container = [ldp.Resource, ldp.RDFSource, ldp.Container];
