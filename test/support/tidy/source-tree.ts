import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import * as ast from "typescript/unstable/ast";
import { API } from "typescript/unstable/async";
import { root } from "../root";

/** One TypeScript file, parsed. `path` is relative to the repository. */
export interface Source {
  path: string;
  text: string;
  tree: ast.SourceFile;
  imports: Import[];
}

export interface Import {
  /** As written: `../core/write`, `elysia`. */
  specifier: string;
  /** The imported file, relative to the repository; undefined for a package. */
  target: string | undefined;
  /** Erased by the compiler: nothing is loaded at run time. */
  typeOnly: boolean;
  /** Names that are imported one by one, but for types. */
  names: string[];
  line: number;
}

/** Says where a rule is broken, and how. */
export const broken = (path: string, line: number, what: string) => `${path}:${line} ${what}`;

/** Parses every TypeScript file of the project with its own compiler. */
export async function loadSources(): Promise<Source[]> {
  const api = new API({ cwd: root });
  try {
    const snapshot = await api.updateSnapshot({ openProjects: [join(root, "tsconfig.json")] });
    const program = snapshot.getProjects()[0]?.program;
    if (program === undefined) throw new Error("The compiler found no project in tsconfig.json.");
    const names = (await program.getSourceFileNames()).filter((name) =>
      isOwn(relative(root, name)),
    );
    const sources = names.map(async (name) => {
      const tree = await program.getSourceFile(name);
      if (tree === undefined) throw new Error(`The compiler did not parse ${name}.`);
      return {
        path: relative(root, name),
        text: tree.text,
        tree,
        imports: importsOf(relative(root, name), tree),
      };
    });
    return await Promise.all(sources);
  } finally {
    await api.close();
  }
}

const isOwn = (path: string) => /^(cli|db|deploy|src|test)\/.*\.tsx?$/.test(path);

/**
 * Every file and folder below `folder`, relative to the repository, folders with a `/` at their
 * end.
 */
export function listTree(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [`${path}/`, ...listTree(path)] : [path];
  });
}

/** The nodes of a tree that `pick` accepts, outer before inner. */
export function findNodes<Found extends ast.Node>(
  tree: ast.Node,
  pick: (node: ast.Node) => node is Found,
): Found[] {
  const found: Found[] = [];
  const visit = (node: ast.Node): undefined => {
    if (pick(node)) found.push(node);
    node.forEachChild(visit);
  };
  visit(tree);
  return found;
}

/** The line, from 1, on which a node begins (after its comments). */
export function lineOf(tree: ast.SourceFile, node: ast.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}

/** Number of lines that a node covers, without the comments before it. */
export function lineCountOf(tree: ast.SourceFile, node: ast.Node): number {
  return tree.getLineAndCharacterOfPosition(node.end).line + 2 - lineOf(tree, node);
}

function importsOf(path: string, tree: ast.SourceFile): Import[] {
  return findNodes(tree, isImporting).flatMap((node) => {
    const specifier = specifierOf(node);
    if (specifier === undefined) return [];
    const target = specifier.startsWith(".") ? resolveImport(path, specifier) : undefined;
    return [
      {
        specifier,
        target,
        typeOnly: isTypeOnly(node),
        names: namesIn(node),
        line: lineOf(tree, node),
      },
    ];
  });
}

type Importing =
  | ast.ImportDeclaration
  | ast.ExportDeclaration
  | ast.CallExpression
  | ast.ImportTypeNode;

function isImporting(node: ast.Node): node is Importing {
  return (
    ast.isImportDeclaration(node) ||
    ast.isExportDeclaration(node) ||
    ast.isImportTypeNode(node) ||
    (ast.isCallExpression(node) && node.expression.kind === ast.SyntaxKind.ImportKeyword)
  );
}

function specifierOf(node: Importing): string | undefined {
  const literal = ast.isCallExpression(node)
    ? node.arguments[0]
    : ast.isImportTypeNode(node)
      ? node.argument.forEachChild((child) => child)
      : node.moduleSpecifier;
  return literal !== undefined && ast.isStringLiteral(literal) ? literal.text : undefined;
}

function isTypeOnly(node: Importing): boolean {
  if (ast.isImportTypeNode(node)) return true;
  if (ast.isExportDeclaration(node)) return node.isTypeOnly;
  if (!ast.isImportDeclaration(node)) return false;
  return node.importClause?.phaseModifier === ast.SyntaxKind.TypeKeyword;
}

function namesIn(node: Importing): string[] {
  if (!ast.isImportDeclaration(node)) return [];
  const bindings = node.importClause?.namedBindings;
  if (bindings === undefined || !ast.isNamedImports(bindings)) return [];
  return bindings.elements
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ name, propertyName }) => (propertyName ?? name).text);
}

function resolveImport(from: string, specifier: string): string {
  const path = join(dirname(from), specifier);
  const candidates = [`${path}.ts`, `${path}.tsx`, `${path}/index.ts`, path];
  return candidates.find((candidate) => existsSync(join(root, candidate))) ?? path;
}
