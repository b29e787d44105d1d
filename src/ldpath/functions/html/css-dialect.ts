/**
 * Translates selectors in the dialect of jsoup, in which programs are written (ldpath 5.5), to CSS.
 * The dialect adds `[^prefix]`, `[name~=regex]`, `[abs:name]`, `fb|name`, `:eq(n)`, `:lt(n)`,
 * `:gt(n)`, `:contains(text)`, `:containsOwn(text)`, `:matches(regex)` and `:matchesOwn(regex)`,
 * and ignores case when it compares values of attributes and classes. Features that CSS does not
 * have, or defines differently, become pseudo-classes that are known only to this selector.
 */
import { attributeTest, type ElementTest, hasClass, isEmpty, pseudoTest } from './element-tests.ts';

export interface Rewritten {
  readonly selector: string;
  /** By the names of pseudo-classes. */
  readonly tests: Readonly<Record<string, ElementTest>>;
}

/**
 * An escape, a pseudo-class with an argument, `:empty`, a bracket, a class, or the prefix of a
 * name.
 */
const part =
  /\\[\s\S]|:(contains|containsown|matches|matchesown|eq|lt|gt)\(|:(empty)(?![\w-])|\[|\.((?:[\w\u0080-\uffff-]|\\[\s\S])+)|([a-z][\w-]*)\|(?=[a-z])|[\s\S]/iy;
const quotedAttribute = /([^\]=]*=\s*(?:"[^"]*"|'[^']*')\s*[is]?\s*)\]/iy;
/** The maximum length of attribute selectors that are passed on to the CSS library. */
const MAX_PLAIN_ATTRIBUTE = 256;
/** These have the same meaning in CSS, and are not changed. */
const plainAttribute = /^[^=]*\||["']\s*[is]\s*$/i;

/**
 * @throws Error if the selector is malformed
 */
export function rewriteSelector(source: string): Rewritten {
  const tests: Record<string, ElementTest> = {};
  const written: string[] = [];
  const add = (test: ElementTest) => {
    const name = `test-${written.length}`;
    tests[name] = test;
    written.push(`:${name}`);
  };
  let at = 0;
  const readUpTo = (open: string, close: string) => {
    const text = balanced(source, at, open, close);
    at += text.length + 1;
    return text;
  };
  while (at < source.length) {
    part.lastIndex = at;
    const [text, pseudo, empty, className, prefix] = part.exec(source)!;
    at += text.length;
    if (pseudo !== undefined) add(pseudoTest(pseudo.toLowerCase(), readUpTo('(', ')')));
    else if (empty !== undefined) add(isEmpty);
    else if (className !== undefined) add(hasClass(unescaped(className)));
    else if (prefix !== undefined) written.push(prefix, '\\:');
    else if (text === '[') {
      quotedAttribute.lastIndex = at;
      const quoted = quotedAttribute.exec(source);
      const attribute = quoted === null ? readUpTo('[', ']') : quoted[1]!;
      if (quoted !== null) at += quoted[0].length;
      if (plainAttribute.test(attribute)) written.push(`[${shortOnly(attribute)}]`);
      else add(attributeTest(attribute));
    } else written.push(text);
  }
  return { selector: written.join(''), tests };
}

/** The library's time grows with the product of the lengths, and it can't be interrupted. */
function shortOnly(attribute: string): string {
  if (attribute.length <= MAX_PLAIN_ATTRIBUTE) return attribute;
  throw new Error(`An attribute with a flag is compared with more than ${MAX_PLAIN_ATTRIBUTE} characters`);
}

/** Returns the text up to the bracket that closes one opened before. */
function balanced(source: string, from: number, open: string, close: string): string {
  let depth = 1;
  for (let at = from; at < source.length; at++) {
    const character = source[at];
    if (character === '\\') at++;
    else if (character === open) depth++;
    else if (character === close && --depth === 0) return source.slice(from, at);
  }
  throw new Error(`There is no closing ${close} for ${open}`);
}

function unescaped(name: string): string {
  return name.replace(/\\([\s\S])/g, '$1');
}
