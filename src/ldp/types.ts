import type { LdpKind } from './model.ts';
import { ldp } from './vocabulary.ts';

/** The types that the server states of a resource of a kind (http-api 5.2, 5.3); none is left to be inferred (L-10). */
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
