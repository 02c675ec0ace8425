import * as ast from "typescript/unstable/ast";
import { broken, findNodes, lineOf, type Source } from "./source-tree";

/**
 * Features run alike on both engines: where the engines differ, the difference has a name in
 * `db/sql/` or is a fact of the engine. Features hand on the dialect, and decide nothing by it.
 */
const dialectNames = new Set(["dialect", "databaseUrl"]);

const engineName = /^(?:sqlite|postgres|postgresql)$/;

/** SQL that only one of the engines reads. */
const sqlOfOneEngine =
  /\b(?:jsonb|jsonb?_\w+|rowid|ctid|lateral|ilike|nextval|tsquery|tsvector|to_tsvector|encode|hex)\b|::[a-z]|@@/i;

/** Places outside `db/` that decide something by the engine, or write SQL for one of them. */
export function dialectBranches(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => !/^(?:db|test)\//.test(path))
    .flatMap(({ path, tree }) =>
      findNodes(tree, (node): node is ast.Node => complaintOf(node, tree) !== undefined).map(
        (node) => broken(path, lineOf(tree, node), complaintOf(node, tree) ?? ""),
      ),
    );
}

function complaintOf(node: ast.Node, tree: ast.SourceFile): string | undefined {
  if (ast.isStringLiteral(node) && engineName.test(node.text)) return "names an engine";
  if (isDialect(node) && isDecidedBy(node)) return `decides by ${node.getText(tree)}`;
  if (isSqlText(node, tree) && sqlOfOneEngine.test(node.getText(tree)))
    return "writes SQL that only one engine reads";
  return undefined;
}

const isDialect = (node: ast.Node) =>
  ast.isPropertyAccessExpression(node)
    ? dialectNames.has(node.name.text)
    : ast.isIdentifier(node) &&
      dialectNames.has(node.text) &&
      !(ast.isPropertyAccessExpression(node.parent) && node.parent.name === node);

function isDecidedBy(node: ast.Node): boolean {
  const { parent } = node;
  if (ast.isElementAccessExpression(parent)) return parent.argumentExpression === node;
  if (ast.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ast.isConditionalExpression(parent)) return parent.condition === node;
  return (
    ast.isBinaryExpression(parent) ||
    ast.isPrefixUnaryExpression(parent) ||
    ast.isIfStatement(parent) ||
    ast.isSwitchStatement(parent)
  );
}

/** Whether a node is a piece of text of a template with the tag `sql`, or inside `sql.raw`. */
function isSqlText(node: ast.Node, tree: ast.SourceFile): boolean {
  if (!(ast.isStringLiteral(node) || isTemplateText(node))) return false;
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (ast.isTaggedTemplateExpression(at)) return at.tag.getText(tree) === "sql";
    if (ast.isCallExpression(at)) return at.expression.getText(tree) === "sql.raw";
  }
  return false;
}

const isTemplateText = (node: ast.Node) =>
  ast.isNoSubstitutionTemplateLiteral(node) ||
  ast.isTemplateHead(node) ||
  ast.isTemplateMiddle(node) ||
  ast.isTemplateTail(node);
