import assert from 'node:assert/strict';
import { it } from 'node:test';
import { graphOf, select } from '../support.ts';

const data = graphOf('ex:t ex:text "ab" .');

it('an empty regular expression matches everywhere', () => {
  assert.deepEqual(select(data, 't', 'ex:text[fn:matches(., "")]'), ['"ab"']);
  assert.deepEqual(select(data, 't', 'fn:replace(ex:text, "", "-")'), ['"-a-b-"']);
});
