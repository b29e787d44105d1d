import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { projectFile } from './support/project.ts';

test('.editorconfig tells editors what Biome formats by', () => {
  const { formatter } = JSON.parse(read('biome.json'));
  const text = read('.editorconfig');
  assert.match(text, new RegExp(`^indent_style = ${formatter.indentStyle}$`, 'm'));
  assert.match(text, new RegExp(`^indent_size = ${formatter.indentWidth}$`, 'm'));
  assert.match(
    text,
    new RegExp(`^\\[\\*\\.\\{ts,json\\}\\]\nmax_line_length = ${formatter.lineWidth}$`, 'm'),
  );
});

function read(file: string): string {
  return readFileSync(projectFile(file), 'utf8');
}
