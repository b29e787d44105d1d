import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readContexts } from '../../src/startup/context-files.ts';
import type { Scope } from '../support/scope.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const iri = 'https://c.example/';

async function contextFile(context: Scope, content: string | Uint8Array): Promise<string> {
  const file = join(await temporaryDirectory(context), 'context.jsonld');
  await writeFile(file, content);
  return file;
}

describe('the files of --context', () => {
  it('are read once, and reduced to their @context', async (context) => {
    const file = await contextFile(
      context,
      '\ufeff{\n "@context": ["x", {"a": "urn:a"}],\n "@id": "urn:x"\n}',
    );
    assert.deepEqual(await readContexts([{ iri, file }]), { [iri]: '["x",{"a":"urn:a"}]' });
  });

  const wrong: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
    ['is not JSON', '{\n "@context": }', /=.*context\.jsonld: the file is not JSON \(line 2, column 14\)\.$/],
    ['has no @context', '{"context": {}}', /: the file is no JSON object with the key "@context"\.$/],
    ['is a list', '[{"@context": {}}]', /: the file is no JSON object/],
    ['is not UTF-8', Uint8Array.of(0x22, 0xff, 0x22), /: the file is not UTF-8\.$/],
    [
      'is too large',
      ' '.repeat(1024 * 1024 + 1),
      /: the file has 1048577 bytes, but a context may have 1048576\.$/,
    ],
    ['is nested too deeply', '['.repeat(300), /: nested deeper than 256 levels\.$/],
  ];
  for (const [how, content, message] of wrong) {
    it(`are rejected with their name: one that ${how}`, async (context) => {
      const file = await contextFile(context, content);
      await assert.rejects(readContexts([{ iri, file }]), message);
    });
  }

  it('must exist', async () => {
    await assert.rejects(
      readContexts([{ iri, file: '/nowhere/c' }]),
      /^Error: --context https.*=\/nowhere\/c: ENOENT/,
    );
  });

  it('are given once for each IRI', async (context) => {
    const file = await contextFile(context, '{"@context": {}}');
    const twice = [
      { iri, file },
      { iri, file },
    ];
    await assert.rejects(readContexts(twice), /--context https:\/\/c\.example\/ is given twice\.$/);
  });
});
