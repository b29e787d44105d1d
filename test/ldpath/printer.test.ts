import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePath, parseProgram } from '../../src/ldpath/syntax/parser.ts';
import { printProgram, printSelector } from './printer.ts';
import { prefixes } from './support.ts';

function print(text: string): string {
  return printSelector(parsePath(text, prefixes).path).replaceAll('<http://example.org/', '<');
}

describe('printer', () => {
  it('adds parentheses where precedence is not obvious', () => {
    assert.equal(print('ex:a | ex:b & ex:c'), '<a> | (<b> & <c>)');
    assert.equal(print('ex:a[!ex:b & ex:c]'), '<a>[!(<b> & <c>)]');
    assert.equal(print('ex:a[!(ex:b)]'), '<a>[!(<b>)]');
    assert.equal(print('(ex:a | ex:b)+/ *'), '(<a> | <b>)+ / *');
  });

  it('keeps datatypes, languages and escaped characters', () => {
    assert.equal(print('ex:a[. is "x"^^ex:t]'), '<a>[. is "x"^^<t>]');
    assert.equal(print('"x"@en'), '"x"@en');
    assert.equal(print("'say \"it\\'s\"\\n'"), "'say \"it\\'s\"\\n'");
  });

  it('keeps the order of graphs', () => {
    const text = '@graph <urn:a>, <urn:b> ;\n@graph <urn:c> ;\nx = <urn:p> ;';
    const printed = printProgram(parseProgram(text, {}).program);
    assert.deepEqual(printed.match(/urn:[abc]/g), ['urn:a', 'urn:b', 'urn:c']);
  });

  it('prints whole programs', () => {
    const text = [
      '@prefix e : <http://e.org/> ;',
      '@graph <http://e.org/g> ;',
      '@filter is-a <http://e.org/T> ;',
      '@boost <http://e.org/b> ;',
      'x = <http://e.org/p> :: <http://www.w3.org/2001/XMLSchema#int> (stored = "true") ;',
      '<http://e.org/q> ;',
      '',
    ].join('\n');
    assert.equal(printProgram(parseProgram(text, {}).program), text);
  });
});
