import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Store } from 'oxigraph';
import { AppError } from '../../../src/errors.ts';
import { withAppErrors } from '../../../src/sparql/engine/oxigraph-errors.ts';
import { syntaxMessage } from '../../../src/sparql/engine/syntax-message.ts';

/** Returns the error for a text that is not SPARQL. */
function errorOf(text: string): AppError {
  try {
    withAppErrors(() => new Store().query(text));
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'parse-error', text);
    assert.ok(error.details.line! >= 1 && error.details.column! >= 1, text);
    return error;
  }
  return assert.fail(`${text} is SPARQL.`);
}

test('syntax errors suggest only syntax that the server supports, and have a position', () => {
  for (const text of [
    'SELECT * { ?s ?p }',
    'SELECT * { ?s ?p ?o',
    'SELECT * { ?s ?p ?o ',
    'SELECT * {} LATERAL {}',
    'SELECT * { SERVICE { } }',
    'SELECT * { FILTER(ADJUST()) }',
    'SELECT * { VALUES ?x { ',
    'SELECT * {\n} LIMIT x',
    'SELEC',
    '',
  ]) {
    const { message } = errorOf(text);
    assert.match(message, /^The text is not valid SPARQL 1\.1: .+\.$/s);
    assert.doesNotMatch(message, /LATERAL|SERVICE|ADJUST|"\{\||~|\[|<unreported>|one of [A-Z]/, text);
  }
});

test('a syntax error states the violated rule, or else the expected punctuation', () => {
  assert.match(errorOf('SELECT * { ?s ?p e:something }').message, /: Prefix not found\.$/);
  assert.match(
    errorOf('SELECT * { ?s ?p ?o } GROUP BY ?s').message,
    /SELECT \* is not authorized with GROUP BY/,
  );
  assert.match(errorOf('SELECT * { ?s ?p ?o').message, /: expected one of "," "\." ";" "\{" "\}"\.$/);
  assert.equal(syntaxMessage('expected one of LATERAL, SERVICE, [_]'), 'something else is expected here');
  assert.equal(syntaxMessage('expected "}"'), 'expected "}"');
  assert.equal(
    syntaxMessage('expected one of "a", OPTIONAL, The LATERAL modifier is not supported'),
    'something else is expected here',
  );
  assert.equal(syntaxMessage(`expected ${'too long '.repeat(50)}`).length, 201);
});
