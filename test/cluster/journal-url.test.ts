import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { journalUrl, parseJournalUrl } from '../../src/cluster/journal-url.ts';

describe('the URL of a shared journal', () => {
  it('names the log servers, with the usual port unless another is given, and the log', () => {
    assert.deepEqual(parseJournalUrl('nats://h1:4223,h2,[::1]:4222/data-1'), {
      servers: ['h1:4223', 'h2:4222', '[::1]:4222'],
      name: 'data-1',
      tls: false,
    });
    assert.equal(parseJournalUrl('tls://h1/a_b').tls, true);
  });

  it('is written as it was read', () => {
    for (const url of ['nats://h1:4222,h2:4223/a', 'tls://10.0.0.1:4222/b']) {
      assert.equal(journalUrl(parseJournalUrl(url)), url);
    }
  });

  it('must not contain credentials, which the message does not repeat', () => {
    for (const url of ['nats://anna:secret@h1/a', 'nats://secret@h1,h2/a']) {
      assert.throws(
        () => parseJournalUrl(url),
        (error: Error) =>
          /must not contain credentials/.test(error.message) && !/anna|secret/.test(error.message),
      );
    }
  });

  it('is refused if anything else is wrong', () => {
    const wrong = ['', 'h1/a', 'http://h1/a', 'nats://h1', 'nats://h1/', 'nats:///a', 'nats://h1,,h2/a'];
    for (const url of [
      ...wrong,
      'nats://h1/a/b',
      'nats://h1/a?b',
      'nats://h1/a b',
      'nats://h1:0/a',
      'nats://h1:x/a',
    ]) {
      assert.throws(() => parseJournalUrl(url), /expected/, url);
    }
  });
});
