/** Parentheses in tests that the reference engine takes for those of a selector (Q-P4b). */
import type * as ast from './ast.ts';

/**
 * Whether `&` in these parentheses means what both sides have in common to the reference, and here that both sides exist:
 * the contents are no test in its grammar, which reads nothing after a group or a call, but they are a selector.
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

/** Whether something follows the group or call that a test begins with. */
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
