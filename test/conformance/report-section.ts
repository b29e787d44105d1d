import { readFile, writeFile } from 'node:fs/promises';

/** Writes a section into a document: replaces the section with the same heading, or appends it. */
export async function writeSection(document: string, heading: string, section: string): Promise<void> {
  const text = await readFile(document, 'utf8');
  const start = text.indexOf(`${heading}\n`);
  const next = start < 0 ? -1 : text.indexOf('\n## ', start + 1);
  const before = start < 0 ? `${text.trimEnd()}\n\n` : text.slice(0, start);
  const after = next < 0 ? '' : text.slice(next);
  await writeFile(document, `${before}${section.trimEnd()}\n${after}`);
}
