import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeaderLines, HeaderTemplate } from '../../../src/http/server/header-lines.ts';
import { headText } from '../fake-request.ts';

const before = 'nosniff';

test('lines follow the beginning of any head, whichever came last', () => {
  const lines = new HeaderLines([
    ['ETag', '"a"'],
    ['Vary', 'Accept'],
  ]);
  assert.equal(headText(lines.after(before)), 'nosniff\r\nETag: "a"\r\nVary: Accept');
  assert.equal(headText(lines.after('other')), 'other\r\nETag: "a"\r\nVary: Accept');
  assert.equal(headText(lines.after(before)), 'nosniff\r\nETag: "a"\r\nVary: Accept');
  assert.equal(headText(new HeaderLines([]).after('')), '');
});

test('a repeated head is UTF-8 bytes', () => {
  const lines = new HeaderLines([['Link', '<http://a/\u00e9>']]);
  assert.equal(lines.after(before), 'nosniff\r\nLink: <http://a/\u00e9>');
  for (let i = 0; i < 2; i++) {
    const bytes = lines.after(before);
    assert.ok(bytes instanceof ArrayBuffer);
    assert.equal(headText(bytes), 'nosniff\r\nLink: <http://a/\u00e9>');
  }
  assert.equal(lines.after('other'), 'other\r\nLink: <http://a/\u00e9>');
});

test('a template puts the text in all its places', () => {
  const template = new HeaderTemplate((name) => [
    ['Location', `http://a/${name}`],
    ['Vary', 'Accept'],
    ['Link', `<http://b/${name}>, <http://c/${name}>`],
  ]);
  for (const [head, name] of [
    [before, 'x'],
    [before, 'y'],
    ['', 'y'],
  ] as const) {
    const link = `<http://b/${name}>, <http://c/${name}>`;
    assert.equal(
      headText(template.fill(name).after(head)),
      `${head}\r\nLocation: http://a/${name}\r\nVary: Accept\r\nLink: ${link}`,
    );
  }
});

test('line ends are rejected in values and in the text of a template', () => {
  const template = new HeaderTemplate((name) => [['Location', name]]);
  for (const value of ['a\rb', 'a\nb', 'a\0b']) {
    assert.throws(() => new HeaderLines([['Location', value]]), /line end or NUL/);
    assert.throws(() => template.fill(value), /line end or NUL/);
    assert.throws(() => new HeaderTemplate((name) => [['Location', name + value]]), /line end or NUL/);
  }
});

test('one template serves texts of all lengths and characters in turn', () => {
  const template = new HeaderTemplate((name) => [['Link', `<http://b/${name}>, <http://c/\u00e9/${name}>`]]);
  const names = [
    '',
    'x',
    'yy',
    'z',
    '\u00e9',
    'y\u00e9',
    'yy',
    '\u{1f600}',
    'x'.repeat(256),
    'y'.repeat(257),
  ];
  // More lengths than are kept.
  for (let length = 0; length < 100; length++) names.push('a'.repeat(length), 'b'.repeat(99 - length));
  for (const name of names) {
    const link = `<http://b/${name}>, <http://c/\u00e9/${name}>`;
    assert.equal(headText(template.fill(name).after(before)), `${before}\r\nLink: ${link}`);
  }
});

test('a template whose headers do not contain the text is constant', () => {
  const template = new HeaderTemplate(() => [['Vary', 'Accept']]);
  assert.equal(headText(template.fill('x').after(before)), `${before}\r\nVary: Accept`);
});
