import { SaxesParser, type SaxesTagPlain } from 'saxes';

export const levels = ['MUST', 'SHOULD', 'MAY'] as const;
export type Level = (typeof levels)[number];

/** What one test of the suite found. */
export interface Outcome {
  readonly test: string;
  /** The class of the suite that was run. */
  readonly on: string;
  readonly level: Level;
  /** `empty`: it passed, and has no code. */
  readonly status: 'pass' | 'empty' | 'fail' | 'skip';
  /** Why it failed or was skipped, in the suite's words; empty when it passed. */
  readonly message: string;
}

const statuses: Readonly<Record<string, Outcome['status']>> = { PASS: 'pass', FAIL: 'fail', SKIP: 'skip' };

/**
 * Reads the suite's report (`testng-results.xml`). A group of the report is a level, or something
 * else, and lists its tests. A test is identified by its signature, which names the class that it
 * was run for.
 */
export function readResults(xml: string): Outcome[] {
  const levelOf = new Map<string, Level>();
  const outcomes: Outcome[] = [];
  let group = '';
  let current: { readonly tag: SaxesTagPlain; message: string } | undefined;
  let inMessage = false;
  const parser = new SaxesParser();
  parser.on('opentag', (tag) => {
    if (tag.name === 'group') group = tag.attributes['name'] ?? '';
    else if (tag.name === 'method' && isLevel(group)) levelOf.set(keyOf(tag.attributes), group);
    else if (tag.name === 'test-method' && tag.attributes['is-config'] !== 'true')
      current = { tag, message: '' };
    else if (tag.name === 'message') inMessage = true;
  });
  const addText = (text: string) => {
    if (current && inMessage) current.message += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', ({ name }) => {
    if (name === 'message') inMessage = false;
    if (name !== 'test-method' || !current) return;
    outcomes.push(outcomeOf(current.tag.attributes, current.message.trim(), levelOf));
    current = undefined;
  });
  parser.write(xml).close();
  return outcomes;
}

function outcomeOf(
  attributes: Readonly<Record<string, string>>,
  message: string,
  levelOf: ReadonlyMap<string, Level>,
): Outcome {
  const { name = '', signature = '', status = '' } = attributes;
  return {
    test: name,
    on: /\.(\w+)Test@/.exec(signature)?.[1] ?? '',
    level: levelOf.get(keyOf(attributes)) ?? 'MAY',
    status: statuses[status] ?? 'fail',
    message,
  };
}

/** Returns the key of a signature, `Class.test()[…instance…]`, without the class. */
function keyOf({ signature = '' }: Readonly<Record<string, string>>): string {
  return signature.slice(signature.lastIndexOf('.', signature.indexOf('(')) + 1);
}

function isLevel(group: string): group is Level {
  return (levels as readonly string[]).includes(group);
}
