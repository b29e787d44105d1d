import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { Answer } from './answer.ts';
import { iriText, literalText } from './terms.ts';

/** Parses the SPARQL Query Results XML Format. */
export function readResultsXml(xml: string): Answer {
  const variables: string[] = [];
  const rows: Map<string, string>[] = [];
  let value: boolean | undefined;
  let name = '';
  let text = '';
  const open: SaxesTagPlain[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', (tag) => {
    open.push(tag);
    text = '';
    const named = String(tag.attributes['name'] ?? '');
    if (tag.name === 'variable') variables.push(named);
    else if (tag.name === 'result') rows.push(new Map());
    else if (tag.name === 'binding') name = named;
  });
  const addText = (more: string) => {
    text += more;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const tag = open.pop()!;
    if (tag.name === 'boolean') value = text.trim() === 'true';
    else if (['uri', 'bnode', 'literal'].includes(tag.name)) rows.at(-1)?.set(name, xmlTermText(tag, text));
  });
  parser.write(xml).close();
  if (value !== undefined) return { kind: 'boolean', value };
  const stray = rows.flatMap((row) => [...row.keys()]).find((each) => !variables.includes(each));
  if (stray !== undefined) throw new Error(`?${stray} has a value, and is not in the head.`);
  return {
    kind: 'table',
    variables,
    rows: rows.map((row) => variables.map((variable) => row.get(variable) ?? '')),
  };
}

function xmlTermText({ name, attributes }: SaxesTagPlain, text: string): string {
  if (name === 'uri') return iriText(text);
  if (name === 'bnode') return `_:${text}`;
  return literalText(text, attributes['xml:lang'] as string, attributes['datatype'] as string);
}
