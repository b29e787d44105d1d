import assert from 'node:assert/strict';
import { test } from 'node:test';
import { xmlToUtf8 } from '../../../../src/rdf/formats/rdfxml/encoding.ts';
import { parseError } from '../documents.ts';

const textOf = (body: Uint8Array, charset?: string) => Buffer.from(xmlToUtf8(body, charset)).toString();
const declared = (name: string) => `<?xml version="1.0" encoding="${name}"?>`;
const blank = (text: string) => ' '.repeat(text.length);

test('a document without an encoding declaration is not changed', () => {
  assert.equal(textOf(Buffer.from('<a>é</a>')), '<a>é</a>');
});

test('an encoding declaration is applied, and blanked to preserve positions', () => {
  const latin1 = declared('ISO-8859-1');
  assert.equal(textOf(Buffer.from(`${latin1}<a>é</a>`, 'latin1')), `${blank(latin1)}<a>é</a>`);
});

test('a byte order mark overrides the encoding declaration', () => {
  const wrong = declared('ISO-8859-1');
  const document = `\ufeff${wrong}<a>é</a>`;
  const bigEndian = Buffer.from(document, 'utf16le').swap16();
  for (const bytes of [Buffer.from(document), Buffer.from(document, 'utf16le'), bigEndian]) {
    assert.equal(textOf(bytes), `${blank(wrong)}<a>é</a>`);
  }
});

test('the charset of the header overrides the document', () => {
  const wrong = declared('utf-16');
  assert.equal(textOf(Buffer.from(`${wrong}<a>é</a>`, 'latin1'), 'latin1'), `${blank(wrong)}<a>é</a>`);
});

test('a malformed declaration is kept, and rejected', () => {
  for (const text of [
    '<?xml version="9"?>',
    '<?xml encoding="utf-8" version="1.0"?>',
    '<?xml version="1.0" foo="x"?>',
    '<?xml version="1.0" encoding="utf-8\'?>',
    '<?xml version="1.0"encoding="utf-8"?>',
    '<?xml ?>',
  ]) {
    assert.equal(textOf(Buffer.from(`${text}<a/>`)), `${text}<a/>`);
    const { code, details } = parseError(`${text}<a:b xmlns:a="urn:"/>`, 'application/rdf+xml');
    assert.deepEqual([code, details.line], ['parse-error', 1]);
  }
});

test('a declaration may have other quotes, white space, and a version of 1.x', () => {
  const text = "<?xml\n version = '1.1'\tencoding\r\n= \"utf-8\" standalone='yes' ?>";
  assert.equal(textOf(Buffer.from(`${text}<a/>`)), `${blank(text)}<a/>`);
});
