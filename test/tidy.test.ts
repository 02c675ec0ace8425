import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import * as ast from "typescript/unstable/ast";
import { embeddedFolders } from "../src/core/assets";
import { root } from "./support/root";
import {
  headlessSentences,
  missingNames,
  vagueSentences,
  wideLines,
} from "./support/tidy/comments";
import { dialectBranches } from "./support/tidy/dialect-branches";
import {
  featureCycles,
  importCycles,
  strayPackages,
  unusedAllowances,
  wings,
  wingsInCircles,
  wrongDirections,
} from "./support/tidy/import-rules";
import { unlistedParts } from "./support/tidy/manifest-rules";
import {
  broken,
  findNodes,
  lineCountOf,
  lineOf,
  listTree,
  loadSources,
  type Source,
} from "./support/tidy/source-tree";
import { unusedExports } from "./support/tidy/unused-exports";

const fileLinesMax = 400;
/** A file of tests is a list of sentences: it is read at the place where one fails. */
const testLinesMax = 500;
const functionLinesMax = 60;
/** As `lineWidth` in biome.json, because the formatter leaves comments alone. */
const commentColumnsMax = 100;
const contributingLinesMax = 130;

const topLevel = [
  "README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md LICENSE Makefile",
  "package.json package-lock.json bunfig.toml tsconfig.json biome.json",
  ".ci .git .gitignore cli db deploy docs src test",
]
  .join(" ")
  .split(" ");

const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/;
/** Python's own way to name files. */
const snakeCase = /^[a-z0-9]+(_[a-z0-9]+)*\.py$/;
const drawers = /^(utils?|helpers?|managers?|common|types?|misc)$/;
const unnamedByUs =
  /^(db\/migrations\/|test\/recorded\/transcripts\/|test\/.*__snapshots__\/)|\/README\.md$/;
const unfinished = new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME", "X".repeat(3)].join("|")})\\b`);

/** Names that fit everything, and so tell nothing of what a variable holds or a function does. */
const emptyNames = /^(known|look|looked|led|find|say|told)$/;

/**
 * Names in comments that stand for no code of ours: a made-up example, and keys of other formats.
 */
const namesElsewhere = new Set([
  "getMessagesMessageId",
  "RealmUserUpdateEvent",
  "prefixItems",
  "valueString",
]);

/** Names that only one file may reach for, as written in the source. */
const homes: { names: RegExp; home: string; inBrowsers?: string; what: string }[] = [
  {
    names: /^(process\.env|Bun\.env|import\.meta\.env)$/,
    home: "src/config/config.ts",
    what: "reads the environment",
  },
  {
    names: /^(Date\.now|performance\.now|Bun\.nanoseconds|process\.hrtime)$/,
    home: "src/core/clock.ts",
    inBrowsers: "src/web/clock.ts",
    what: "asks the time",
  },
  {
    names: /\.(_|_prepare|prepareQuery|sqlToQuery|queryChunks|getSQL|executeMethod|queryString)$/,
    home: "db/drizzle-internals.ts",
    what: "reaches into drizzle",
  },
];

const sources = await loadSources();
const program = sources.filter(({ path }) => !path.startsWith("test/"));

/** Breaches of a rule, over all files: `complain` names it for one node, or answers undefined. */
function complaints(
  files: Source[],
  complain: (node: ast.Node, source: Source) => string | undefined,
): string[] {
  return files.flatMap((source) =>
    findNodes(source.tree, (node): node is ast.Node => complain(node, source) !== undefined).map(
      (node) => broken(source.path, lineOf(source.tree, node), complain(node, source) ?? ""),
    ),
  );
}

describe("layout", () => {
  test("the top level holds only what this list names", () => {
    const ignored = readLines(".gitignore").map((line) => line.replace(/\/$/, ""));
    const isIgnored = (name: string) =>
      ignored.some((pattern) => new Bun.Glob(pattern).match(name));
    expect(
      readdirSync(root).filter((name) => !topLevel.includes(name) && !isIgnored(name)),
    ).toEqual([]);
  });

  test("files and folders are named in kebab-case, and none is a drawer", () => {
    const wrong = ourFiles().filter((path) => {
      const name = basename(path);
      return (
        !(kebabCase.test(name) || snakeCase.test(name)) || drawers.test(name.split(".")[0] ?? "")
      );
    });
    expect(wrong).toEqual([]);
  });

  test(`no file has more than ${fileLinesMax} lines, and no file of tests more than ${testLinesMax}`, () => {
    const long = sources
      .map(({ path, text }) => ({ path, lineCount: text.trimEnd().split("\n").length }))
      .filter(
        ({ path, lineCount }) =>
          lineCount > (path.endsWith(".test.ts") ? testLinesMax : fileLinesMax),
      );
    expect(long.map(({ path, lineCount }) => `${path} has ${lineCount} lines`)).toEqual([]);
  });

  test(`no function has more than ${functionLinesMax} lines, but for lists of steps of a test`, () => {
    const long = complaints(sources, (node, { path, tree }) => {
      if (!hasFunctionBody(node) || (path.startsWith("test/") && isTestCallback(node)))
        return undefined;
      const lineCount = lineCountOf(tree, node);
      return lineCount > functionLinesMax ? `a function of ${lineCount} lines` : undefined;
    });
    expect(long).toEqual([]);
  });
});

describe("imports", () => {
  test("go from wing to wing as the list of wings allows", () => {
    expect(wrongDirections(sources)).toEqual([]);
  });

  test("the list of wings allows nothing that no file does", () => {
    expect(unusedAllowances(sources)).toEqual([]);
  });

  test("make no circle among the wings, and the list allows none", () => {
    expect(wingsInCircles()).toEqual([]);
    expect(wingsInCircles({ below: ["above"], above: ["below"] })).toHaveLength(1);
  });

  test("make no circle among the features", () => expect(featureCycles(sources)).toEqual([]));

  test("make no circle among the files of src", () => expect(importCycles(sources)).toEqual([]));

  test("reach each part of a feature through its manifest, and each manifest from the root", () => {
    expect(unlistedParts(sources)).toEqual([]);
  });

  test("bring elysia into http and server only, commander into cli only", () => {
    expect(strayPackages(sources)).toEqual([]);
  });
});

describe("words", () => {
  test.each(homes)("only $home $what", ({ names, home, inBrowsers }) => {
    const stray = complaints(program, (node, { path, tree }) =>
      path !== home && path !== inBrowsers && isAccess(node) && names.test(node.getText(tree))
        ? node.getText(tree)
        : undefined,
    );
    expect(stray).toEqual([]);
  });

  test("only src/core/clock.ts makes a Date of the present", () => {
    const stray = complaints(program, (node, { path }) => {
      const isPresent = ast.isNewExpression(node)
        ? !node.arguments?.length
        : ast.isCallExpression(node);
      return path !== "src/core/clock.ts" && isPresent && isNameOf(node, "Date")
        ? "asks the time"
        : undefined;
    });
    expect(stray).toEqual([]);
  });

  test("nothing is exported as default outside *.config.ts", () => {
    const isDefault = (node: ast.Node) =>
      (ast.isExportAssignment(node) && !node.isExportEquals) ||
      (node.kind === ast.SyntaxKind.DefaultKeyword &&
        node.parent.kind !== ast.SyntaxKind.DefaultClause);
    const stray = complaints(sources, (node, { path }) =>
      !path.endsWith(".config.ts") && isDefault(node) ? "default export" : undefined,
    );
    expect(stray).toEqual([]);
  });

  test("the type any is nowhere", () => {
    expect(
      complaints(sources, ({ kind }) => (kind === ast.SyntaxKind.AnyKeyword ? "any" : undefined)),
    ).toEqual([]);
  });

  test("as is used in db and test only (as const everywhere)", () => {
    const bound = program.filter(({ path }) => !path.startsWith("db/"));
    const isCast = (node: ast.Node, tree: ast.SourceFile) =>
      ast.isTypeAssertion(node) ||
      (ast.isAsExpression(node) && node.type.getText(tree) !== "const");
    expect(
      complaints(bound, (node, { tree }) => (isCast(node, tree) ? node.getText(tree) : undefined)),
    ).toEqual([]);
  });

  test("errors of promises are awaited with test/support/outcome.ts, not inside expect", () => {
    const isAwaited = (node: ast.Node) =>
      ast.isPropertyAccessExpression(node) && /^(rejects|resolves)$/.test(node.name.text);
    expect(
      complaints(sources, (node) => (isAwaited(node) ? "rejects or resolves" : undefined)),
    ).toEqual([]);
  });

  test("placeholders are typed: sql.placeholder stands in db/reader.ts alone", () => {
    const stray = complaints(program, (node, { path, tree }) =>
      path !== "db/reader.ts" && isAccess(node) && node.getText(tree) === "sql.placeholder"
        ? "a placeholder whose name is not checked"
        : undefined,
    );
    expect(stray).toEqual([]);
  });

  test("nothing outside db decides by the engine, or writes SQL that only one of them reads", () => {
    expect(dialectBranches(sources)).toEqual([]);
  });

  test("the memory of a server hangs on its App: no map of a module has apps as its keys", () => {
    const stray = complaints(program, (node, { tree }) =>
      isKeyedByApp(node, tree) ? "a map by App: declare it with perServer" : undefined,
    );
    expect(stray).toEqual([]);
  });

  test("comments begin with the noun: none with What, Who or Those", () => {
    const headless = sources.flatMap((source) =>
      headlessSentences(source).map(({ line, sentence }) => broken(source.path, line, sentence)),
    );
    expect(headless).toEqual([]);
  });

  test("comments name both sides of a likeness: none says 'the same'", () => {
    const vague = sources.flatMap((source) =>
      vagueSentences(source).map(({ line, sentence }) => broken(source.path, line, sentence)),
    );
    expect(vague).toEqual([]);
  });

  test("comments are no wider than the code", () => {
    const wide = sources.flatMap((source) =>
      wideLines(source, commentColumnsMax).map(({ line, columns }) =>
        broken(source.path, line, `a comment of ${columns} columns`),
      ),
    );
    expect(wide).toEqual([]);
  });

  test("comments name only what the code has", () => {
    const missing = missingNames(sources)
      .filter(({ name }) => !namesElsewhere.has(name))
      .map(({ path, line, name }) => broken(path, line, name));
    expect(missing).toEqual([]);
  });

  test("names say what they hold: no variable, parameter or function is a bare known, look or the like", () => {
    const stray = complaints(program, (node, { tree }) => {
      const name = isNaming(node) ? node.name?.getText(tree) : undefined;
      return name !== undefined && emptyNames.test(name) ? `the name ${name}` : undefined;
    });
    expect(stray).toEqual([]);
  });

  test("what is exported is used elsewhere", () => {
    expect(unusedExports(sources, read("Makefile"))).toEqual([]);
  });

  test("a literal is written as one: none is spread to change how it is formatted", () => {
    const isSpreadLiteral = (node: ast.Node) =>
      (ast.isSpreadElement(node) || ast.isSpreadAssignment(node)) &&
      (ast.isArrayLiteralExpression(node.expression) ||
        ast.isObjectLiteralExpression(node.expression));
    const stray = complaints(sources, (node, { tree }) =>
      isSpreadLiteral(node) ? node.getText(tree) : undefined,
    );
    expect(stray).toEqual([]);
  });

  test("nothing is left unfinished with a note", () => {
    const lines = sources.flatMap(({ path, text }) =>
      text.split("\n").map((line, index) => ({ line, at: broken(path, index + 1, line.trim()) })),
    );
    expect(lines.filter(({ line }) => unfinished.test(line)).map(({ at }) => at)).toEqual([]);
  });
});

describe("documents", () => {
  test("the Makefile embeds the folders that assetPath finds, under names that differ", () => {
    const makefile = read("Makefile").replaceAll(/"?\$\(OUT\)([^\s"]*)"?/g, "dist$1");
    const embedded = [...makefile.matchAll(/--asset=(\S+)/g)].map((match) => match[1] ?? "");
    expect(embedded.sort()).toEqual([...embeddedFolders].sort());
    expect(new Set(embeddedFolders.map((folder) => basename(folder))).size).toBe(
      embeddedFolders.length,
    );
  });

  test(`CONTRIBUTING.md has at most ${contributingLinesMax} lines`, () => {
    expect(readLines("CONTRIBUTING.md").length).toBeLessThanOrEqual(contributingLinesMax);
  });

  test("CONTRIBUTING.md names only paths that exist", () => {
    const named = codeSpans("CONTRIBUTING.md").filter((span) =>
      /^[\w.-]+\/[\w./-]*$|^[\w-]+\.(md|json|toml|ts)$/.test(span),
    );
    const names = new Set(ourFiles().map((path) => basename(path)));
    const exists = (path: string) =>
      ["", "src", "test"].some((place) => existsSync(join(root, place, path)));
    expect(named.filter((path) => !exists(path) && !names.has(path))).toEqual([]);
  });

  test("CONTRIBUTING.md lists the wings in the order in which they may import each other", () => {
    const listed = [...read("CONTRIBUTING.md").matchAll(/^([a-z-]+) {2,}\S/gm)].map(
      ([, one]) => one,
    );
    const all = Object.keys(wings);
    // The page tells of `http` beside the other folders that are no features.
    const ofFeatures = all.slice(all.indexOf("letters")).filter((name) => name !== "http");
    expect(listed).toEqual(ofFeatures);
  });

  test("CONTRIBUTING.md names only make targets that exist", () => {
    const targets = [...read("Makefile").matchAll(/^([a-z-]+):/gm)].map((match) => match[1]);
    const named = codeSpans("CONTRIBUTING.md").flatMap(
      (span) => /^make ([a-z-]+)/.exec(span)?.[1] ?? [],
    );
    expect(named.filter((target) => !targets.includes(target))).toEqual([]);
  });

  test("name only files that are in the repository, as comments and texts of the code do", () => {
    const texts = [
      ...sources.map(({ path, text }) => ({ path, text })),
      ...documents().map((path) => ({ path, text: read(path) })),
    ];
    const missing = texts.flatMap(({ path, text }) =>
      [...text.matchAll(namedFile)]
        .map(([, named = ""]) => named)
        .filter((named) => !existsSync(join(root, named)))
        .map((named) => `${path} names ${named}`),
    );
    expect(missing).toEqual([]);
  });

  test("lean on nothing beside the repository", () => {
    const beside = new RegExp(["\\.\\./", "shared\\b"].join(""));
    const paths = [...sources.map(({ path }) => path), ...documents(), "Makefile", ".ci/run"];
    expect(paths.filter((path) => beside.test(read(path)))).toEqual([]);
  });
});

const read = (path: string) =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "";

const readLines = (path: string) => read(path).trimEnd().split("\n");

/** Texts between backticks, and each line of a fenced block. */
function codeSpans(path: string): string[] {
  const text = read(path);
  const fenced = [...text.matchAll(/^```.*\n([\s\S]*?)^```/gm)].flatMap(
    (match) => match[1]?.split("\n") ?? [],
  );
  const inline = [...text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/`([^`\n]+)`/g)].map(
    (match) => match[1] ?? "",
  );
  return [...fenced, ...inline].map((span) => span.trim());
}

/** A path from the root of the repository, with the ending of its file. */
const namedFile =
  /(?<![\w./@$}-])((?:docs|src|test|db|cli|deploy)\/[\w./-]+\.(?:md|ts|json|tsv|py|yaml|css|html))\b(?!["'`]?\s*\+)/g;

const documents = () => [
  "README.md",
  "CONTRIBUTING.md",
  ...listTree("docs").filter((path) => path.endsWith(".md")),
];

const ourFiles = () =>
  ["cli", "db", "src", "test"]
    .flatMap((folder) => listTree(folder))
    .filter((path) => !unnamedByUs.test(path));

const isAccess = (node: ast.Node) => ast.isPropertyAccessExpression(node);

/** Whether a node gives a name that the code of its file goes by; methods are left out. */
const isNaming = (node: ast.Node) =>
  ast.isVariableDeclaration(node) ||
  ast.isParameterDeclaration(node) ||
  ast.isBindingElement(node) ||
  ast.isFunctionDeclaration(node);

const isNameOf = (node: ast.Node, name: string) =>
  (ast.isNewExpression(node) || ast.isCallExpression(node)) &&
  ast.isIdentifier(node.expression) &&
  node.expression.text === name;

/** Whether a node makes, or is the type of, a map or a set whose keys are apps. */
function isKeyedByApp(node: ast.Node, tree: ast.SourceFile): boolean {
  const name = ast.isNewExpression(node)
    ? node.expression
    : ast.isTypeReferenceNode(node)
      ? node.typeName
      : undefined;
  if (name === undefined || !/^(Readonly|Weak)?(Map|Set)$/.test(name.getText(tree))) return false;
  const [key] =
    "typeArguments" in node && Array.isArray(node.typeArguments) ? node.typeArguments : [];
  return key !== undefined && /^\w*App\b/.test(key.getText(tree));
}

const hasFunctionBody = (node: ast.Node) =>
  ast.isFunctionDeclaration(node) ||
  ast.isFunctionExpression(node) ||
  ast.isArrowFunction(node) ||
  ast.isMethodDeclaration(node) ||
  ast.isConstructorDeclaration(node) ||
  ast.isGetAccessorDeclaration(node) ||
  ast.isSetAccessorDeclaration(node);

/** Whether a function is what `describe`, `test`, `test.each(…)` and the like are called with. */
function isTestCallback(node: ast.Node): boolean {
  const { parent } = node;
  return ast.isCallExpression(parent) && /^(describe|test|it)\b/.test(parent.expression.getText());
}
