/** What the editor of LDPath knows about a text without asking the server. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { unfinishedPath } from '../../console/src/editor/ldpath/unfinished-path.ts';
import { clientSnippet, commandFor } from '../../console/src/pages/playground/share/snippets.ts';

const paths: readonly (readonly [text: string, path: string | undefined, what: string])[] = [
  ['a = foaf:knows/', 'foaf:knows/', 'a field'],
  ['a = . ; b = foaf:knows/foaf:', 'foaf:knows/foaf:', 'the last field'],
  ['a = foaf:name | foaf:knows/', 'foaf:knows/', 'the last alternative'],
  ['a = foaf:knows[foaf:name is "x;" & foaf:', 'foaf:knows/foaf:', 'a test, from the node that it tests'],
  ['a = (ex:a | ex:b)+ / ', '(ex:a | ex:b)+ / ', 'a group that is closed'],
  ['a = ex:a[ex:b]/', 'ex:a[ex:b]/', 'a test that is closed'],
  ['a = ex:a/fn:concat(ex:b, ', 'ex:a/', 'an argument, from the node at which the function is called'],
  ['a = fn:first(ex:a, ex:b/', 'ex:b/', 'the last argument'],
  ['@filter ex:a/', 'ex:a/', 'a filter'],
  ['a = ex:a # x = y/\n / ', 'ex:a \n / ', 'a text with a comment'],
  ['a = ex:a :: xsd:', undefined, 'a type, which is no path'],
];
for (const [text, path, what] of paths) {
  it(`finds the path to the cursor in ${what}`, () => assert.equal(unfinishedPath(text), path));
}

const request = {
  server: 'http://localhost:8080/',
  program: 'a = `x` ;\nb = "$' + '{y}\\" ;',
  starts: ['http://example.org/?a&b'],
  hasCredentials: false,
};

it('quotes IRIs in the URL of a command', () => {
  assert.match(commandFor(request), /uri=http%3A%2F%2Fexample\.org%2F%3Fa%26b'/);
});

it('writes no credentials into a command, but the variable that has them', () => {
  assert.match(commandFor({ ...request, hasCredentials: true }), /-H "Authorization: \$AUTHORIZATION"/);
});

it('quotes a program in a module so that it stays the same', () => {
  const [literal] = /`[\s\S]*`/.exec(clientSnippet(request))!;
  assert.equal(new Function(`return ${literal}`)(), request.program);
});

it('evaluates several start resources in a module as a batch', () => {
  const starts = ['http://example.org/a', 'http://example.org/b'];
  assert.match(clientSnippet({ ...request, starts }), /client\.ldpath\.batch\(program, \{ uris/);
});
