/** Values by key; a key with several values is a list. */
export type Properties = ReadonlyMap<string, readonly string[]>;

const SHORT: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f' };
/** The key ends at the first separator without a backslash. */
const LINE = /^\s*((?:\\.|[^\\=:\s])+)\s*[=:]?\s*(.*)$/s;

/**
 * Reads a file that Commons Configuration 1.10 wrote, the library with which Marmotta saves its
 * settings: a comma without a backslash separates values, and so do lines with the same key.
 */
export function readProperties(text: string): Properties {
  const all = new Map<string, string[]>();
  for (const line of logicalLines(text)) {
    const [, key, value] = LINE.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    const name = unescaped(key);
    all.set(name, [...(all.get(name) ?? []), ...listOf(value)]);
  }
  return all;
}

/** Lines without comments; one that ends in a backslash goes on in the next. */
function logicalLines(text: string): string[] {
  const lines: string[] = [];
  let begun = '';
  for (const line of text.split(/\r?\n/)) {
    if (begun === '' && /^\s*([#!]|$)/.test(line)) continue;
    const whole = begun + (begun === '' ? line : line.trimStart());
    const goesOn = /(?:^|[^\\])(?:\\\\)*\\$/.test(whole);
    begun = goesOn ? whole.slice(0, -1) : '';
    if (!goesOn) lines.push(whole);
  }
  return begun === '' ? lines : [...lines, begun];
}

function listOf(value: string): string[] {
  const parts = value.match(/(?:\\.|[^\\,])+/gs) ?? [''];
  return parts.map((part, index) => unescaped(index === 0 ? part : part.trimStart()));
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(u[\dA-Fa-f]{4}|.)/gs, (_, code: string) =>
    code.length === 5 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (SHORT[code] ?? code),
  );
}
