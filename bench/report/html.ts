import type { Plot } from './figure.ts';
import { svgPlot } from './svg.ts';
import { escapeMarkup } from './text.ts';

export interface Page {
  readonly title: string;
  /** Paragraphs of plain text. */
  readonly words: readonly string[];
  readonly tables: readonly Table[];
  readonly plots: readonly Plot[];
}

export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const STYLE = `body { font: 15px/1.5 sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em; color: #222; }
table { border-collapse: collapse; } th, td { border: 1px solid #ccc; padding: 4px 8px; text-align: left; vertical-align: top; }
th { background: #f3f3f3; } svg { max-width: 100%; height: auto; margin: 1em 0; }`;

/** A page that loads nothing: styles and plots stand in it. */
export function htmlPage({ title, words, tables, plots }: Page): string {
  const parts = [
    `<h1>${escapeMarkup(title)}</h1>`,
    ...words.map((paragraph) => `<p>${escapeMarkup(paragraph)}</p>`),
    ...tables.map(table),
    ...plots.map(svgPlot),
  ];
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeMarkup(title)}</title><style>
${STYLE}
</style></head>
<body>
${parts.join('\n')}
</body>
</html>
`;
}

function table({ title, head, rows }: Table): string {
  const row = (tag: string, cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeMarkup(cell)}</${tag}>`).join('')}</tr>`;
  const lines = [row('th', head), ...rows.map((cells) => row('td', cells))];
  return `<h2>${escapeMarkup(title)}</h2>\n<table>\n${lines.join('\n')}\n</table>`;
}
