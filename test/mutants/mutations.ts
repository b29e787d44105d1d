import {
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isExpressionStatement,
  isIfStatement,
  isImportDeclaration,
  isLiteralTypeNode,
  isNumericLiteral,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isReturnStatement,
  isStringLiteral,
  isThrowStatement,
  isWhileStatement,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';

/** One change of a source text. */
export interface Mutation {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const operators: Readonly<Partial<Record<string, readonly string[]>>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '+=': ['-='],
  '-=': ['+='],
};

const methods: Readonly<Partial<Record<string, string>>> = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
  push: 'unshift',
  unshift: 'push',
  pop: 'shift',
  shift: 'pop',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
};

/**
 * What can be changed in a file. Texts change only where they are compared, since most others are
 * the wording of messages.
 */
export function mutationsOf(file: SourceFile): Mutation[] {
  const found: Mutation[] = [];
  const visit = (node: Node): void => {
    if (isImportDeclaration(node) || isLiteralTypeNode(node)) return;
    found.push(...mutationsAt(node, file));
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

function mutationsAt(node: Node, file: SourceFile): Mutation[] {
  const replace = (target: Node, replacement: string): Mutation => ({
    start: target.getStart(file),
    end: target.end,
    replacement,
  });
  const text = (target: Node): string => target.getText(file);

  if (isBinaryExpression(node)) {
    const operator = node.operatorToken;
    if (text(operator) === '??') return [replace(node, text(node.right))];
    return (operators[text(operator)] ?? []).map((other) => replace(operator, other));
  }
  if (isIfStatement(node)) return ['true', 'false'].map((value) => replace(node.expression, value));
  if (isWhileStatement(node)) return [replace(node.expression, 'false')];
  if (isConditionalExpression(node)) {
    return [node.whenTrue, node.whenFalse].map((branch) => replace(node, text(branch)));
  }
  if (isPrefixUnaryExpression(node)) {
    const drops = node.operator === SyntaxKind.ExclamationToken || node.operator === SyntaxKind.MinusToken;
    return drops ? [replace(node, text(node.operand))] : [];
  }
  if (isPropertyAccessExpression(node) && isCallExpression(node.parent)) {
    const other = methods[text(node.name)];
    return other ? [replace(node.name, other)] : [];
  }
  if (isNumericLiteral(node)) return [replace(node, text(node) === '1' ? '0' : `(${text(node)} + 1)`)];
  if (isStringLiteral(node) && isCompared(node)) return [replace(node, "'?'")];
  if (node.kind === SyntaxKind.TrueKeyword) return [replace(node, 'false')];
  if (node.kind === SyntaxKind.FalseKeyword) return [replace(node, 'true')];
  return isRemovable(node) ? [replace(node, ';')] : [];
}

function isCompared({ parent }: Node): boolean {
  return (
    parent.kind === SyntaxKind.CaseClause ||
    (isBinaryExpression(parent) && ['===', '!=='].includes(parent.operatorToken.getText()))
  );
}

/** Statements that the compiler can often do without. */
function isRemovable(node: Node): boolean {
  return (
    isExpressionStatement(node) ||
    isThrowStatement(node) ||
    (isReturnStatement(node) && !node.expression) ||
    node.kind === SyntaxKind.BreakStatement ||
    node.kind === SyntaxKind.ContinueStatement
  );
}
