/** Tests on HTML elements that jsoup's selectors have and those of CSS do not (ldpath 5.5). */

import { indexOf } from '../../compile/text-search.ts';
import { JavaPattern } from '../../regex/pattern.ts';
import { meter } from '../document-meter.ts';
import { type HtmlElement, isElement } from './document.ts';
import { htmlToText, ownHtmlText } from './text-content.ts';

const ATTRIBUTES_A_VISIT = 8;

export type ElementTest = (element: HtmlElement) => boolean;

/** The IRI of the searched document; empty if it has none. */
let base = '';

export function setDocumentBase(iri: string): void {
  base = iri;
}

/** Compares without regard to case. */
export function hasClass(name: string): ElementTest {
  const one = new RegExp(`(?:^|\\s)${name.replace(/[^\w\u0080-\uffff]/g, '\\$&')}(?:\\s|$)`, 'i');
  return (element) => {
    const classes = attributeValue(element, 'class');
    return classes !== undefined && one.test(classes);
  };
}

/** Compiles the contents of `[...]`. */
export function attributeTest(text: string): ElementTest {
  const { 0: operator, index = text.length } = /[!^$*~]?=/.exec(text) ?? {};
  const name = text.slice(0, index).trim().toLowerCase();
  const operand = text.slice(index + (operator ?? '').length).trim();
  if (name === '' || name === '^') throw new Error('An attribute selector has no name');
  if (operator === undefined) return name.startsWith('^') ? hasPrefix(name.slice(1)) : hasAttribute(name);
  if (operand === '') throw new Error('An attribute selector has no value');
  if (operator === '~=') {
    const finds = finder(unquoted(operand));
    return (element) => {
      const value = attributeValue(element, name);
      return value !== undefined && finds(value);
    };
  }
  const compare = comparisons[operator]!;
  const wanted = unquoted(operand).trim().toLowerCase();
  return (element) => compare(attributeValue(element, name)?.toLowerCase(), wanted);
}

const comparisons: Readonly<Record<string, (value: string | undefined, wanted: string) => boolean>> = {
  '=': (value, wanted) => value === wanted,
  '!=': (value, wanted) => value !== wanted,
  '^=': (value, wanted) => value?.startsWith(wanted) ?? false,
  '$=': (value, wanted) => value?.endsWith(wanted) ?? false,
  '*=': (value, wanted) => value !== undefined && indexOf(value, wanted) >= 0,
};

/** White space makes an element non-empty, unlike in newer versions of CSS. */
export const isEmpty: ElementTest = (element) =>
  element.childNodes.every((node) => node.nodeName === '#comment');

/** Compiles a pseudo-class. `name` is in lower case; `argument` is the text in its parentheses. */
export function pseudoTest(name: string, argument: string): ElementTest {
  if (name === 'matches' || name === 'matchesown') {
    const finds = finder(argument);
    return (element) => finds(textFor(name, element));
  }
  if (name === 'contains' || name === 'containsown') {
    const wanted = unquoted(argument.trim())
      .replace(/\\([\s\S])/g, '$1')
      .toLowerCase();
    if (wanted === '') throw new Error(`:${name} needs a text`);
    return (element) => indexOf(textFor(name, element).toLowerCase(), wanted) >= 0;
  }
  if (!/^\s*\d+\s*$/.test(argument)) throw new Error(`:${name} needs a number`);
  const index = Number(argument);
  if (name === 'eq') return (element) => position(element) === index;
  return name === 'lt' ? (element) => position(element) < index : (element) => position(element) > index;
}

function textFor(name: string, element: HtmlElement): string {
  return name.endsWith('own') ? ownHtmlText(element) : htmlToText(element);
}

function finder(pattern: string): (text: string) => boolean {
  if (pattern === '') throw new Error('A regular expression is empty');
  const compiled = new JavaPattern(pattern, meter);
  return (text) => compiled.isFoundIn(text, meter);
}

function hasAttribute(name: string): ElementTest {
  return (element) => attributeValue(element, name) !== undefined;
}

function hasPrefix(prefix: string): ElementTest {
  return ({ attrs }) => {
    meter.visit(Math.floor(attrs.length / ATTRIBUTES_A_VISIT));
    return attrs.some(({ name }) => name.startsWith(prefix));
  };
}

/**
 * Returns the value of an attribute. `abs:href` is the absolute URL of `href`, if that is valid.
 */
export function attributeValue(element: HtmlElement, name: string): string | undefined {
  const { attrs } = element;
  meter.visit(Math.floor(attrs.length / ATTRIBUTES_A_VISIT));
  const found = attrs.find((attribute) => attribute.name === name)?.value;
  if (found !== undefined) {
    meter.read(found.length);
    return found;
  }
  if (!name.startsWith('abs:')) return undefined;
  const relative = attributeValue(element, name.slice('abs:'.length));
  if (relative === undefined || !URL.canParse(relative, base || undefined)) return undefined;
  return new URL(relative, base || undefined).href;
}

/** Returns the index among the elements of the same parent, counted from 0. */
function position(element: HtmlElement): number {
  let count = 0;
  for (const sibling of element.parentNode?.childNodes ?? []) {
    meter.visit();
    if (sibling === element) break;
    if (isElement(sibling)) count++;
  }
  return count;
}

function unquoted(text: string): string {
  return /^(["'])([\s\S]*)\1$/.exec(text)?.[2] ?? text;
}
