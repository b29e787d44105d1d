import { type Term, XSD_STRING } from '../../rdf/model/term.ts';

/** A result node in the format of http-api 4.1. */
export interface NodeObject {
  readonly type: 'uri' | 'bnode' | 'literal' | 'triple';
  readonly value: string;
  readonly lang?: string;
  readonly direction?: string;
  readonly datatype?: string;
}

export function nodeObject(term: Term): NodeObject {
  switch (term.kind) {
    case 'iri':
      return { type: 'uri', value: term.value };
    case 'blank':
      return { type: 'bnode', value: term.value };
    case 'triple':
      return { type: 'triple', value: term.value };
    case 'literal': {
      const { value, language, direction, datatype } = term;
      if (direction !== '') return { type: 'literal', value, lang: language, direction };
      if (language !== '') return { type: 'literal', value, lang: language };
      return datatype === XSD_STRING ? { type: 'literal', value } : { type: 'literal', value, datatype };
    }
  }
}
