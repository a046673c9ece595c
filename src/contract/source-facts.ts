import ts from 'typescript';

type Parsed = { readonly file: ts.SourceFile; readonly nodes: readonly ts.Node[] };

/** Each question below looks at the whole tree; parsing once for all of them makes the check four times as fast. */
const parsed = new Map<string, Parsed>();

const parse = (path: string, text: string): Parsed => {
  const known = parsed.get(text);
  if (known) return known;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  parsed.set(text, { file, nodes });
  return { file, nodes };
};

/** What a module imports, re-exports or loads while it runs, types included, in the order written. */
export const importsOf = (path: string, text: string): readonly string[] =>
  parse(path, text).nodes.flatMap((node): readonly string[] => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
      return node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier) ? [node.moduleSpecifier.text] : [];
    if (ts.isImportTypeNode(node))
      return ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)
        ? [node.argument.literal.text]
        : [];
    if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.ImportKeyword) return [];
    const [argument] = node.arguments;
    return argument && ts.isStringLiteralLike(argument) ? [argument.text] : [];
  });

const isNamed = (node: ts.Node, name: string): boolean => ts.isIdentifier(node) && node.text === name;

/** `process.env`, `process['env']`, `const { env } = process`, and `import { env } from 'node:process'`. */
export const readsEnvironment = (path: string, text: string): boolean =>
  parse(path, text).nodes.some((node) => {
    if (ts.isPropertyAccessExpression(node)) return isNamed(node.expression, 'process') && node.name.text === 'env';
    if (ts.isElementAccessExpression(node))
      return (
        isNamed(node.expression, 'process') &&
        ts.isStringLiteralLike(node.argumentExpression) &&
        node.argumentExpression.text === 'env'
      );
    if (ts.isVariableDeclaration(node))
      return (
        node.initializer !== undefined && isNamed(node.initializer, 'process') && ts.isObjectBindingPattern(node.name)
      );
    return (
      ts.isImportDeclaration(node) &&
      ts.isStringLiteral(node.moduleSpecifier) &&
      /^(node:)?process$/.test(node.moduleSpecifier.text)
    );
  });

const impurity = (node: ts.Node): string | undefined => {
  if (ts.isAwaitExpression(node) || node.kind === ts.SyntaxKind.AsyncKeyword) return 'waits for something';
  if (ts.isNewExpression(node) && isNamed(node.expression, 'Date') && (node.arguments ?? []).length === 0)
    return 'reads the clock: new Date()';
  if (ts.isCallExpression(node) && isNamed(node.expression, 'Date')) return 'reads the clock: Date()';
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  const member = `${node.expression.getText()}.${node.name.text}`;
  if (['Date.now', 'performance.now', 'Math.random', 'crypto.randomUUID', 'crypto.getRandomValues'].includes(member))
    return `answers differently each time: ${member}`;
  return member.startsWith('process.') || member.startsWith('console.') ? `touches the world: ${member}` : undefined;
};

/** What in a module makes it more than a function of its arguments, one sentence each with its line. */
export const impuritiesOf = (path: string, text: string): readonly string[] => {
  const { file, nodes } = parse(path, text);
  return nodes.flatMap((node) => {
    const found = impurity(node);
    return found === undefined ? [] : [`line ${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${found}`];
  });
};

/** Functions that are no arrows and classes that are no errors, one sentence each with its line; a generator has no arrow form. */
export const strayShapesOf = (path: string, text: string): readonly string[] => {
  const { file, nodes } = parse(path, text);
  const shape = (node: ts.Node): string | undefined => {
    if (ts.isFunctionDeclaration(node) && !node.asteriskToken) return 'declares a function that is no arrow';
    if (!ts.isClassDeclaration(node) && !ts.isClassExpression(node)) return undefined;
    const parents = (node.heritageClauses ?? []).flatMap((clause) =>
      clause.types.map((type) => type.expression.getText()),
    );
    return parents.some((parent) => parent.endsWith('Error') || parent === 'Problem')
      ? undefined
      : 'declares a class that is no error';
  };
  return nodes.flatMap((node) => {
    const found = shape(node);
    return found === undefined ? [] : [`line ${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${found}`];
  });
};
