import type * as ast from '../syntax/ast.ts';

/** Returns the part of a selector that has no inverse (8.2), or null. */
export function uninvertible(selector: ast.Selector): ast.Selector | null {
  switch (selector.kind) {
    case 'filtered':
    case 'call':
    case 'constant':
      return selector;
    case 'path':
      return firstObstacle(selector.steps);
    case 'union':
    case 'intersection':
      return firstObstacle(selector.operands);
    case 'group':
    case 'closure':
    case 'bounded':
      return uninvertible(selector.selector);
    default:
      return null;
  }
}

function firstObstacle(selectors: readonly ast.Selector[]): ast.Selector | null {
  for (const selector of selectors) {
    const obstacle = uninvertible(selector);
    if (obstacle !== null) return obstacle;
  }
  return null;
}
