/** Functions on XML (ldpath 5.9). */
import { subjects } from '../argument.ts';
import { meter } from '../document-meter.ts';
import type { SelectorFunction } from '../function.ts';
import { removeTags, xmlUnescape } from './tags.ts';
import { xpath } from './xpath.ts';

/** The number of characters that cost about as much as a step. */
const CHARACTERS_A_STEP = 64;

function eachMarkup(name: string, description: string, change: (text: string) => string): SelectorFunction {
  return {
    kind: 'selector',
    name,
    signature: `fn:${name}([xml : NodeList, ...]) : String`,
    description,
    minArguments: 0,
    maxArguments: Number.POSITIVE_INFINITY,
    evaluate: (context, args, node, into) => {
      meter.begin(context);
      for (const id of subjects(args, 0, node)) {
        const text = context.stringValue(id);
        meter.beginDocument(text);
        context.work(Math.ceil(text.length / CHARACTERS_A_STEP));
        into.push(context.literal(change(text)));
      }
    },
  };
}

export const xmlFunctions: readonly SelectorFunction[] = [
  eachMarkup('removeTags', 'Returns each text without its tags; entities are kept.', removeTags),
  eachMarkup(
    'xmlUnescape',
    'Returns each text with the five XML entities and numeric references resolved.',
    xmlUnescape,
  ),
  eachMarkup('xmlText', 'Returns each text without its tags and with its entities resolved.', (text) =>
    xmlUnescape(removeTags(text)),
  ),
  xpath,
];
