import { EX, FOAF, PATH } from '../../data/person-data.ts';

/** The six fields of `PROGRAM`, with the prefix that the reference engine does not know. */
export const STORED_PROGRAM = `@prefix foaf : <${FOAF}> ;
@prefix ex : <${EX}> ;
name = foaf:name ;
age = ex:age :: xsd:int ;
friends = ${PATH} ;
fof = foaf:knows/${PATH} ;
inverse = ^foaf:knows/foaf:name ;
thirty = foaf:knows[ex:age is "30"^^xsd:integer]/foaf:name ;
`;

export const PERSON_CLASS = `${FOAF}Person`;

/** Stores the program under a name, for all persons. */
export async function storeProgram(url: string, name: string, program = STORED_PROGRAM): Promise<void> {
  const target = `${url}/ldpath/programs/${name}?type=${encodeURIComponent(PERSON_CLASS)}`;
  const response = await fetch(target, {
    method: 'PUT',
    headers: { 'Content-Type': 'text/plain' },
    body: program,
  });
  if (!response.ok) throw new Error(`PUT of a program: ${response.status} ${await response.text()}`);
}
