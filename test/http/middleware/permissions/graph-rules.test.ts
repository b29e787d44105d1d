import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { maySee, mayWrite, writeDenial } from '../../../../src/base/graph-access.ts';
import { errorData } from '../../../../src/errors.ts';
import { GraphRules, parseGraphRules } from '../../../../src/http/middleware/permissions/graph-rules.ts';
import type { Principal } from '../../../../src/http/middleware/principal.ts';

const BASE = 'https://data.example.org';
const anna: Principal = { kind: 'password', name: 'anna', role: 'write' };
const token: Principal = { kind: 'token', name: 'jwt:7', role: 'read', claims: ['/roles=editor'] };
const clientOf = (text: string, principal?: Principal) => ({
  access: new GraphRules(parseGraphRules(text)).resolve(BASE).accessOf(principal),
});

describe('rules about graphs', () => {
  it('deny what no rule grants (G-160)', () => {
    const client = clientOf('read user:berta *', anna);
    assert.equal(maySee(client, `${BASE}/context/a`), false);
    assert.equal(mayWrite(client, `${BASE}/context/a`), false);
  });

  it('name graphs, beginnings of names, and trees', () => {
    const client = clientOf('read public http://a/one http://b/x* /ldp/people/*');
    const seen = ['http://a/one', 'http://b/x', 'http://b/xy', `${BASE}/ldp/people`, `${BASE}/ldp/people/p`];
    for (const iri of seen) assert.ok(maySee(client, iri), iri);
    for (const iri of ['http://a/one2', 'http://a/', 'http://b/', `${BASE}/ldp/peoples`, `${BASE}/ldp`]) {
      assert.ok(!maySee(client, iri), iri);
    }
  });

  it('are about everybody, users, one user, roles and claims', () => {
    const text = [
      'read public http://public',
      'read users http://users',
      'read user:anna http://anna',
      'read role:write http://writers',
      'read claim:/roles=editor http://editors',
    ].join('\n');
    const seenBy = (principal?: Principal) =>
      ['public', 'users', 'anna', 'writers', 'editors'].filter((name) =>
        maySee(clientOf(text, principal), `http://${name}`),
      );
    assert.deepEqual(seenBy(), ['public']);
    assert.deepEqual(seenBy(anna), ['public', 'users', 'anna', 'writers']);
    assert.deepEqual(seenBy(token), ['public', 'users', 'editors']);
  });

  it('let a client read what it may write, and everything if it may write everything', () => {
    assert.ok(maySee(clientOf('write public http://a'), 'http://a'));
    assert.equal(clientOf('write public *').access, undefined);
    assert.ok(!mayWrite(clientOf('read public *'), 'http://a'));
  });

  it('say that what a client does not see does not exist', () => {
    const client = clientOf('read public http://seen\nwrite public http://written');
    const hidden = errorData('graph-not-found', 'There is no such graph.');
    const codeOf = (iri: string) => writeDenial(client, iri, hidden)?.code;
    assert.equal(codeOf('http://written'), undefined);
    assert.equal(codeOf('http://seen'), 'forbidden');
    assert.equal(codeOf('http://other'), 'graph-not-found');
  });

  it('give clients with the same rules the same patterns', () => {
    const rules = new GraphRules(parseGraphRules('read users http://b http://a')).resolve(BASE);
    assert.equal(rules.accessOf(anna), rules.accessOf(token));
    assert.equal(rules.accessOf(anna)?.read.key, 'http://a\nhttp://b');
  });
});

describe('parseGraphRules', () => {
  it('skips empty lines and comments', () => {
    assert.equal(parseGraphRules('\n# a comment\n  read public *\r\n').length, 1);
  });

  for (const [line, message] of [
    ['allow public *', /line 2: it must begin with 'read' or 'write'/],
    ['read public', /line 2: after 'read' come who may do it .* and at least one graph/],
    ['read', /line 2: after 'read'/],
    ['read anna *', /line 2: 'anna' must be public, users, user:NAME/],
    ['read user: *', /line 2: 'user:' must be/],
    ['read role:admin *', /line 2: 'role:admin' must be/],
    ['read claim:= *', /line 2: 'claim:=' must be/],
    ['read public http://a*b', /line 2: 'http:\/\/a\*b' has a \* before its end/],
    ['read public graph', /line 2: 'graph' must be \*, an absolute IRI, or a path/],
    ['read public <http://a>', /line 2: '<http:\/\/a>' must be/],
  ] as const) {
    it(`refuses '${line}'`, () => {
      assert.throws(() => parseGraphRules(`# rules\n${line}`), message);
    });
  }
});
