import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { matchesRule, parseClaimRule } from '../../../../src/http/middleware/jwt/claim-rule.ts';

const claims = {
  scope: 'openid pathpool:write',
  name: 'pathpool:write admin',
  admin: true,
  none: null,
  no: false,
  empty: '',
  roles: [],
  zero: 0,
  groups: ['editors', 'a=b'],
  'https://example.org/roles': ['writer'],
  realm_access: { roles: ['editor'], 'a/b~c': 'x' },
};
const matches = (rule: string) => matchesRule(claims, parseClaimRule(rule)!);

describe('a claim rule', () => {
  it('matches a value, an element of a list, and a word of a scope', () => {
    for (const rule of ['scope=pathpool:write', 'groups=editors', 'groups=a=b', 'admin=true', 'admin'])
      assert.ok(matches(rule), rule);
    assert.ok(matches('https://example.org/roles=writer'));
  });

  it('follows a JSON Pointer', () => {
    assert.ok(matches('/realm_access/roles=editor'));
    assert.ok(matches('/realm_access/a~1b~0c=x'));
    for (const rule of ['/realm_access/roles=edit', '/realm_access/roles/0=editor', '/scope/length', '/x/y'])
      assert.ok(!matches(rule), rule);
  });

  it('matches neither parts of other texts nor what objects inherit', () => {
    for (const rule of [
      'name=admin',
      'scope=pathpool',
      'groups=editor',
      'none',
      'toString',
      '/realm_access/toString',
    ])
      assert.ok(!matches(rule), rule);
  });

  it('without a value matches any value but an empty one', () => {
    for (const rule of ['name', 'groups', 'admin', 'zero', 'realm_access']) assert.ok(matches(rule), rule);
    for (const rule of ['none', 'no', 'empty', 'roles', 'absent']) assert.ok(!matches(rule), rule);
  });

  it('is rejected if it is malformed', () => {
    for (const text of ['', '=x', 'scope=', '/', '/a~2=b', '/a~'])
      assert.equal(parseClaimRule(text), undefined, text);
  });
});
