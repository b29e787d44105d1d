import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CapitalTags } from '../../../src/sparql/engine/capital-tags.ts';

test('tags with capitals are found in lower case, also after a copy', () => {
  const tags = new CapitalTags();
  for (const tag of ['', 'en', 'en-US', 'EN-us', 'zh-Hans']) tags.note(tag);
  for (const each of [tags, CapitalTags.of(tags.text)]) {
    for (const tag of ['en-us', 'zh-hans']) assert.ok(each.has(tag), tag);
    for (const tag of ['en', 'en-US', '']) assert.ok(!each.has(tag), tag);
  }
});

test('of very many tags all count as tags with capitals, and few are kept', () => {
  const tags = new CapitalTags();
  for (let i = 0; i < 100_000; i++) tags.note(`X-${i}`);
  assert.ok(tags.has('en'));
  assert.ok(tags.text.length < 20_000);
  assert.ok(CapitalTags.of(tags.text).has('en'));
});
