import { type EditorView, hoverTooltip, type Tooltip } from '@codemirror/view';
import type { Fields, NodeObject } from '../../../../src/library/client/entry.ts';
import { client } from '../../app/client.ts';
import { serverNamespaces } from '../../resources/prefixes.ts';
import { declaredNamespaces, expanded, knownFunctions } from './known-names.ts';

/** What a tooltip says: the first line is what the text stands for. */
interface Documentation {
  readonly title: string;
  readonly lines: readonly string[];
}

const WORD = /<[^\s<>"]+>|[\p{L}\p{N}_-]*:[\p{L}\p{N}_.%-]*/gu;
/** Vocabularies describe their properties with these. */
const DESCRIPTION = `label = rdfs:label | skos:prefLabel | dct:title ;
comment = rdfs:comment | skos:definition | dct:description ;`;
/** Characters of a comment. */
const MAX_COMMENT = 400;
/** Milliseconds. */
const HOVER_DELAY = 350;

const described = new Map<string, Promise<readonly string[]>>();

/** Explains the name under the pointer: a function, or what the data say about an IRI. */
export const ldpathHover = hoverTooltip(
  async (view, position): Promise<Tooltip | null> => {
    const word = wordAt(view, position);
    if (!word) return null;
    const documentation = await documentationOf(word.text, view.state.doc.toString()).catch(() => undefined);
    if (!documentation) return null;
    return { pos: word.from, end: word.to, above: true, create: () => ({ dom: elementOf(documentation) }) };
  },
  { hoverTime: HOVER_DELAY },
);

interface Word {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

function wordAt({ state }: EditorView, position: number): Word | undefined {
  const line = state.doc.lineAt(position);
  for (const { index, 0: text } of line.text.matchAll(WORD)) {
    const from = line.from + index;
    const to = from + text.length;
    if (from <= position && position <= to && text !== ':') return { from, to, text };
  }
  return undefined;
}

async function documentationOf(text: string, program: string): Promise<Documentation | undefined> {
  if (text.startsWith('fn:')) return documentationOfFunction(text.slice('fn:'.length));
  const known = { ...(await serverNamespaces()), ...declaredNamespaces(program) };
  if (text.endsWith(':')) {
    const namespace = expanded(text, known);
    return namespace === undefined ? undefined : { title: namespace, lines: [] };
  }
  const iri = text.startsWith('<') ? text.slice(1, -1) : expanded(text, known);
  if (iri === undefined) return undefined;
  const description = described.get(iri) ?? descriptionOf(iri);
  described.set(iri, description);
  return { title: iri, lines: await description };
}

async function documentationOfFunction(name: string): Promise<Documentation | undefined> {
  const found = (await knownFunctions()).find((each) => each.name === name);
  return found && { title: found.signature, lines: [found.description] };
}

/** Returns the label and the comment that the data have; nothing if they do not know the IRI. */
async function descriptionOf(iri: string): Promise<readonly string[]> {
  const fields = await fieldsOf(iri).catch((): Fields => ({}));
  const texts = [fields['label'], fields['comment']].map((values) => preferred(values ?? []));
  return texts.filter((text) => text !== undefined).map(cut);
}

async function fieldsOf(iri: string): Promise<Fields> {
  // Unlike the request for one resource it is no error that the data do not know this one.
  for await (const { result } of client.ldpath.batch(DESCRIPTION, { uris: [iri], missing: 'empty' })) {
    if (result) return result;
  }
  return {};
}

/** Returns the text in the first language of the user that is there. */
function preferred(values: readonly NodeObject[]): string | undefined {
  const languages = navigator.languages.map((language) => language.split('-')[0]);
  const inLanguage = languages
    .map((language) => values.find(({ lang }) => lang?.split('-')[0] === language))
    .find((value) => value !== undefined);
  return (inLanguage ?? values.find(({ lang }) => lang === undefined) ?? values[0])?.value;
}

function cut(text: string): string {
  return text.length > MAX_COMMENT ? `${text.slice(0, MAX_COMMENT)}…` : text;
}

function elementOf({ title, lines }: Documentation): HTMLElement {
  const element = document.createElement('div');
  element.className = 'cm-documentation';
  const first = document.createElement('code');
  first.textContent = title;
  element.append(first);
  for (const line of lines) {
    const paragraph = document.createElement('p');
    paragraph.textContent = line;
    element.append(paragraph);
  }
  return element;
}
