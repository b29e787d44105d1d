/** Functions on HTML documents and fragments (ldpath 5.5). */
import { subjects } from '../argument.ts';
import { meter } from '../document-meter.ts';
import { documentQuery, shown, unlessBad } from '../document-query.ts';
import type { SelectorFunction } from '../function.ts';
import { compileCss, selectCss } from './css-syntax.ts';
import { parseHtml } from './document.ts';
import { cleanHtml } from './sanitizer.ts';
import { htmlToText } from './text-content.ts';

function eachHtml(name: string, description: string, change: (text: string) => string): SelectorFunction {
  return {
    kind: 'selector',
    name,
    signature: `fn:${name}([html : NodeList, ...]) : String`,
    description,
    minArguments: 0,
    maxArguments: Number.POSITIVE_INFINITY,
    evaluate: (context, args, node, into) => {
      meter.begin(context);
      for (const id of subjects(args, 0, node)) {
        const text = context.stringValue(id);
        meter.beginDocument(text);
        const changed = unlessBad(context, `fn:${name} cannot use ${shown(text)}`, () => change(text));
        if (changed !== null) into.push(context.literal(changed));
      }
    },
  };
}

const clean = eachHtml(
  'cleanHtml',
  'Returns each HTML fragment with simple formatting only: no scripts, styles, event handlers or unsafe links.',
  cleanHtml,
);

const htmlText = eachHtml(
  'htmlText',
  'Returns the text of each HTML document, without tags, scripts and styles, with white space collapsed.',
  (text) => htmlToText(parseHtml(text)),
);

const css = documentQuery(
  {
    name: 'css',
    signature: 'fn:css(selectors : StringList [, html : NodeList, ...]) : StringList',
    description: 'Returns the markup of every element of the HTML documents that matches a CSS selector.',
  },
  { compile: compileCss, parse: parseHtml, select: selectCss },
);

export const htmlFunctions: readonly SelectorFunction[] = [clean, htmlText, css];
