/**
 * `fn:xpath`: XPath 1.0 with the prefixes of the program and those of the server (ldpath 5.9,
 * Q-F9).
 */
import { XSD } from '../../../rdf/model/term.ts';
import type { TermId } from '../../../rdf/model/term-id.ts';
import { formatDouble } from '../../compile/numbers.ts';
import type { EvaluationContext } from '../../evaluate/context.ts';
import { documentQuery, type QueryCall } from '../document-query.ts';
import { parseXml } from './document.ts';
import { elementMarkup } from './markup.ts';
import { ATTRIBUTE, DOCUMENT, ELEMENT, TEXT, type XmlNode } from './node.ts';
import { type NodeSet, type XPathExpression, type XPathValue, xpathLibrary } from './xpath-library.ts';
import { stringFunction } from './xpath-strings.ts';

export const xpath = documentQuery(
  {
    name: 'xpath',
    signature: 'fn:xpath(expressions : StringList [, xml : NodeList, ...]) : NodeList',
    description:
      'Returns the values that the XPath 1.0 expressions select from the XML documents: elements as XML, text and attributes by value.',
  },
  { compile: (expression) => xpathLibrary().parse(expression), parse: parseXml, select: selectXml },
);

function selectXml({ context, into }: QueryCall, expression: XPathExpression, document: XmlNode): void {
  const { prefixes } = context.callSite!;
  const result = expression.evaluate({
    node: document,
    namespaces: { getNamespace: (prefix) => namespace(prefixes, prefix) },
    functions: stringFunction,
  });
  if (isNodeSet(result)) pushNodes(context, result.toArray(), into);
  else into.push(scalar(context, result));
}

function namespace(prefixes: Readonly<Record<string, string>>, prefix: string): string {
  const found = Object.hasOwn(prefixes, prefix) ? prefixes[prefix] : undefined;
  if (found === undefined) throw new Error(`The prefix "${prefix}" is not declared`);
  return found;
}

function isNodeSet(value: XPathValue): value is XPathValue & NodeSet {
  return value instanceof xpathLibrary().XNodeSet;
}

/** Comments and processing instructions are left out. */
function pushNodes(context: EvaluationContext, nodes: readonly XmlNode[], into: TermId[]): void {
  for (const node of nodes) {
    context.work(1);
    const { nodeType, nodeValue } = node;
    if (nodeType === ELEMENT) into.push(context.literal(elementMarkup(node)));
    else if (nodeType === TEXT || nodeType === ATTRIBUTE) into.push(context.literal(nodeValue));
    else if (nodeType === DOCUMENT) into.push(context.literal(elementMarkup(node.documentElement!)));
  }
}

/** Converts a scalar result. Whole numbers become integers, because counts are integers. */
function scalar(context: EvaluationContext, value: XPathValue): TermId {
  const { XBoolean, XNumber } = xpathLibrary();
  if (value instanceof XBoolean) return context.literal(String(value.b), `${XSD}boolean`);
  if (!(value instanceof XNumber)) return context.literal(value.stringValue());
  const number = value.num;
  if (Number.isSafeInteger(number)) return context.literal(String(number), `${XSD}integer`);
  return context.literal(formatDouble(number), `${XSD}double`);
}
