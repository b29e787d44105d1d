/** Detects parentheses in tests that the reference engine reads as those of a selector (Q-P4b). */
import type * as ast from './ast.ts';

/**
 * Whether the reference takes `&` in these parentheses to select what both sides have in common,
 * while here it requires that both sides exist. In the reference's grammar the contents are not a
 * test, because nothing may follow a group or a call, but they are a selector.
 */
export function isRereadAsSelector({ test }: ast.TestGroup): boolean {
  return (
    test.kind === 'and' &&
    isSelector(test) &&
    test.operands.some((operand, i) => endsEarly(operand, i === test.operands.length - 1))
  );
}

function isSelector(test: ast.Test): boolean {
  switch (test.kind) {
    case 'exists':
      return true;
    case 'test-group':
      return isSelector(test.test);
    case 'and':
    case 'or':
      return test.operands.every(isSelector);
    default:
      return false;
  }
}

/** Whether something follows the group or call at the start of a test. */
function endsEarly(test: ast.Test, isLast: boolean): boolean {
  if (test.kind === 'test-group') return !isLast;
  if (test.kind !== 'exists' || test.path.kind === 'call') return false;
  const { kind } = leftmost(test.path);
  return kind === 'group' || kind === 'call';
}

function leftmost(selector: ast.Selector): ast.Selector {
  switch (selector.kind) {
    case 'path':
      return leftmost(selector.steps[0]!);
    case 'filtered':
    case 'closure':
    case 'bounded':
      return leftmost(selector.selector);
    default:
      return selector;
  }
}
