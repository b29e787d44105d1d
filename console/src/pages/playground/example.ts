import { client } from '../../app/client.ts';

/** What the playground shows at the first visit; it suits most data. */
export const EXAMPLE_PROGRAM = `# A field collects values along a path. Ctrl-Enter runs.
label   = rdfs:label | foaf:name | dct:title ;
types   = rdf:type ;
about   = rdfs:comment :: xsd:string ;
above   = (rdfs:subClassOf)+ / rdfs:label ;
below   = fn:count(^rdfs:subClassOf) ;
`;

const CANDIDATE = `@filter rdfs:subClassOf ;
self = . ;`;
/** Resources that are looked at. */
const MAX_CANDIDATES = 2000;

/** Returns a resource for which the example shows something; undefined if there are no data. */
export async function exampleStart(signal: AbortSignal): Promise<string | undefined> {
  return (await firstSubject(CANDIDATE, MAX_CANDIDATES, signal)) ?? firstSubject('self = . ;', 1, signal);
}

async function firstSubject(
  program: string,
  limit: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const options = { starts: { subjects: true }, limit, ordered: true, signal } as const;
  for await (const { uri, result } of client.ldpath.batch(program, options)) {
    if (result) return uri;
  }
  return undefined;
}
