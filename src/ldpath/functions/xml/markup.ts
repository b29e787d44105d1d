/** Writes nodes as XML text. */
import { escapeAttribute, escapeText } from '../../../rdf/model/canonical-xml.ts';
import { COMMENT, ELEMENT, TEXT, type XmlNode } from './node.ts';

/**
 * Returns an element with its contents, and with those namespace declarations of its ancestors that
 * are used in it.
 */
export function elementMarkup(element: XmlNode): string {
  const parts: string[] = [];
  writeElement(element, neededDeclarations(element), parts);
  return parts.join('');
}

/** Returns the nearest declaration of each prefix, and all declarations of the element itself. */
function neededDeclarations(element: XmlNode): Record<string, string> {
  const used = new Set<string>();
  collectPrefixes(element, used);
  const nearest: Record<string, string> = Object.create(null);
  for (let at: XmlNode | null = element; at !== null; at = at.parent) {
    for (const [prefix, namespace] of Object.entries(at.declarations)) {
      if (at === element || used.has(prefix)) nearest[prefix] ??= namespace;
    }
  }
  if (nearest[''] === '') delete nearest[''];
  delete nearest['xml'];
  return nearest;
}

function collectPrefixes(element: XmlNode, into: Set<string>): void {
  into.add(element.prefix);
  for (const { prefix } of element.attributes!) into.add(prefix);
  for (const child of element.childNodes) if (child.nodeType === ELEMENT) collectPrefixes(child, into);
}

/** Recursive; the parser limits the depth of documents. */
function writeElement(
  element: XmlNode,
  declarations: Readonly<Record<string, string>>,
  parts: string[],
): void {
  parts.push('<', element.nodeName);
  for (const [prefix, namespace] of Object.entries(declarations)) {
    parts.push(prefix === '' ? ' xmlns' : ` xmlns:${prefix}`, '="', escapeAttribute(namespace), '"');
  }
  for (const { nodeName, nodeValue } of element.attributes!) {
    parts.push(' ', nodeName, '="', escapeAttribute(nodeValue), '"');
  }
  if (element.childNodes.length === 0) {
    parts.push(' />');
    return;
  }
  parts.push('>');
  for (const child of element.childNodes) writeNode(child, parts);
  parts.push('</', element.nodeName, '>');
}

function writeNode(node: XmlNode, parts: string[]): void {
  if (node.nodeType === ELEMENT) writeElement(node, node.declarations, parts);
  else if (node.nodeType === TEXT) parts.push(escapeText(node.nodeValue));
  else if (node.nodeType === COMMENT) parts.push('<!--', node.nodeValue, '-->');
  else parts.push('<?', node.nodeName, ' ', node.nodeValue, '?>');
}
