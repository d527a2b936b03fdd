// Finds the small changes of a source that tests should notice.
import ts from 'typescript';

const { SyntaxKind } = ts;
const operators = new Map([
  [SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [SyntaxKind.EqualsEqualsToken, '!='],
  [SyntaxKind.ExclamationEqualsToken, '=='],
  [SyntaxKind.LessThanToken, '<='],
  [SyntaxKind.LessThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '>='],
  [SyntaxKind.GreaterThanEqualsToken, '>'],
  [SyntaxKind.AmpersandAmpersandToken, '||'],
  [SyntaxKind.BarBarToken, '&&'],
  [SyntaxKind.QuestionQuestionToken, '&&'],
  [SyntaxKind.PlusToken, '-'],
  [SyntaxKind.MinusToken, '+'],
  [SyntaxKind.AsteriskToken, '/'],
  [SyntaxKind.SlashToken, '*'],
]);
const quantifiers = new Map(Object.entries({ some: 'every', every: 'some' }));

/**
 * Returns every mutant of a source, in its order: the file with one change, which `change` describes.
 * @param file path from the root of the repository
 */
export function findMutants(file, original) {
  const tree = ts.createSourceFile(file, original, ts.ScriptTarget.Latest, true);
  const mutants = [];
  visit(tree);
  return mutants.sort((one, other) => one.start - other.start);

  function visit(node) {
    if (isWithoutEffect(node)) return;
    for (const [start, end, text] of replacementsOf(node, tree)) {
      const line = tree.getLineAndCharacterOfPosition(start).line + 1;
      const change = `${shorten(original.slice(start, end))} -> ${shorten(text) || '(nothing)'}`;
      const source = original.slice(0, start) + text + original.slice(end);
      mutants.push({ file, start, line, change, original, source });
    }
    ts.forEachChild(node, visit);
  }
}

/** Types and imports change nothing that runs; decorators are what Nest is told, which tests of routes prove. */
function isWithoutEffect(node) {
  return (
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isDecorator(node)
  );
}

/** The changes of one node, each as the part of the source that goes and the text in its place. */
function replacementsOf(node, tree) {
  const start = node.getStart(tree);
  const whole = (text) => [[start, node.end, text]];
  if (ts.isBinaryExpression(node) && operators.has(node.operatorToken.kind)) {
    return [[node.operatorToken.getStart(tree), node.operatorToken.end, operators.get(node.operatorToken.kind)]];
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) {
    return whole(node.operand.getText(tree));
  }
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return negated(node.expression, tree);
  if (ts.isConditionalExpression(node)) return negated(node.condition, tree);
  if (isStatementThatCanGo(node)) return [...whole(';'), ...withoutAwait(node, tree)];
  if (ts.isObjectLiteralElementLike(node) && ts.isObjectLiteralExpression(node.parent))
    return [[start, nextStart(node, tree), '']];
  if (ts.isPropertyAccessExpression(node) && quantifiers.has(node.name.text)) {
    return [[node.name.getStart(tree), node.end, quantifiers.get(node.name.text)]];
  }
  if (node.kind === SyntaxKind.TrueKeyword) return whole('false');
  if (node.kind === SyntaxKind.FalseKeyword) return whole('true');
  if (ts.isNumericLiteral(node)) return whole(`(${node.text} + 1)`);
  if (ts.isRegularExpressionLiteral(node)) return withoutAnchors(node).flatMap(whole);
  if (ts.isStringLiteral(node) && ts.isPropertyName(node) && node.parent.name === node) return [];
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return whole(node.text === '' ? "'mutant'" : "''");
  return [];
}

/** Comparisons and negations are changed themselves. */
function negated(condition, tree) {
  if (ts.isPrefixUnaryExpression(condition)) return [];
  if (ts.isBinaryExpression(condition) && operators.has(condition.operatorToken.kind)) return [];
  return [[condition.getStart(tree), condition.end, `!(${condition.getText(tree)})`]];
}

function isStatementThatCanGo(node) {
  if (ts.isExpressionStatement(node)) return !node.expression.getText().startsWith('super(');
  return ts.isThrowStatement(node) || ts.isReturnStatement(node) || ts.isBreakOrContinueStatement(node);
}

function withoutAwait(statement, tree) {
  if (!ts.isExpressionStatement(statement) || !ts.isAwaitExpression(statement.expression)) return [];
  return [[statement.getStart(tree), statement.end, `void ${statement.expression.expression.getText(tree)};`]];
}

function nextStart(property, tree) {
  const { properties } = property.parent;
  return properties[properties.indexOf(property) + 1]?.getStart(tree) ?? property.end;
}

function withoutAnchors({ text }) {
  return [text.replace(/^\/\^/, '/'), text.replace(/\$(?=\/[a-z]*$)/, '')].filter((other) => other !== text);
}

function shorten(text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 60)}...` : line;
}
