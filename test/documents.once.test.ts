import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { wholeProgram } from "../cli/program";
import { releaseDocuments } from "../deploy/release/documents";
import { isSecret, optionNames, options } from "../src/config/config";
import { commandsIn, problemOf } from "./support/processes/command-line";
import { root } from "./support/root";
import { listTree } from "./support/tidy/source-tree";

/* README and the pages of `docs/`: their links, commands, settings and limits are true. */

const decisions = /^docs\/decisions\//;
/** Sentences of the specification, which show what Markdown looks like. */
const quoted = "docs/protocol/specification.md";
const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...listTree("docs")]
  .filter((path) => path.endsWith(".md") && path !== quoted)
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
/** A decision tells of its day: commands in it may be gone by now. */
const present = pages.filter(({ path }) => !decisions.test(path));

/** The lines of the fenced blocks of a language, with the page that each is on. */
const linesIn = (language: string) =>
  present.flatMap(({ path, text }) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))]
      .flatMap(([, block = ""]) => block.split("\n"))
      .map((line) => ({ path, line })),
  );

test("links lead somewhere", () => {
  const broken = pages.flatMap(({ path, text }) =>
    [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = ""]) => link)
      .filter((link) => !/^[a-z]+:/.test(link) && !isThere(path, link))
      .map((link) => `${path}: ${link}`),
  );
  expect(broken).toEqual([]);
});

/** Folders and pages for people who change chatd, which no release has. */
const ofRepository = /^(?:docs\/(?:decisions|protocol)\/|docs\/design\.md$|CONTRIBUTING\.md$)/;

describe("a release", () => {
  const files = releaseDocuments();

  test("has the pages and the files that its pages link to", () => {
    const missing = pages
      .filter(({ path }) => files.includes(path))
      .flatMap(({ path, text }) =>
        [...withoutCode(text).matchAll(/\]\(([^)\s:#]+)[)#]/g)].map(([, link = ""]) =>
          join(dirname(path), link),
        ),
      )
      .filter((path) => !files.includes(path) && !ofRepository.test(path));
    expect(files).toContain("docs/web/pictures/topic.jpg");
    expect(missing).toEqual([]);
  });

  test("has the pages that messages name", () => {
    const paths = ["cli", "src", "deploy"]
      .flatMap(listTree)
      .filter((path) => statSync(join(root, path)).isFile());
    const named = paths.flatMap((path) =>
      readFileSync(join(root, path), "utf8")
        .split("\n")
        .filter((line) => !/^\s*(?:\/?\*|\/\/|#)/.test(line))
        .flatMap((line) => [...line.matchAll(/docs\/[a-z-]+\.md/g)].map(([page]) => page)),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((page) => !files.includes(page))).toEqual([]);
  });
});

const withoutCode = (text: string): string =>
  text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");

function isThere(from: string, link: string): boolean {
  const [file = "", anchor] = link.split("#");
  const path = file === "" ? from : relative(root, join(root, dirname(from), file));
  if (!existsSync(join(root, path))) return false;
  if (anchor === undefined) return true;
  const page = pages.find((one) => one.path === path);
  return page !== undefined && anchorsOf(page.text).includes(anchor);
}

const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, "")
      .replaceAll(" ", "-"),
  );

describe("commands", () => {
  test("are there, with each of their options and arguments", async () => {
    const program = await wholeProgram();
    const wrong = linesIn("sh").flatMap(({ path, line }) =>
      commandsIn(line).flatMap((words) => {
        const problem = problemOf(program, words);
        return problem === undefined ? [] : [`${path}: chatd ${words.join(" ")}: ${problem}`];
      }),
    );
    expect(linesIn("sh").length).toBeGreaterThan(30);
    expect(wrong).toEqual([]);
  });

  test("that have a mistake would be found", async () => {
    const program = await wholeProgram();
    const problems = [
      "chatd serve --prt 9000",
      "chatd admin user ad bob@example.com",
      "chatd admin user role bob@example.com",
      "chatd admin backup a.tar b.tar",
      "ssh host 'x' | chatd admin restore --nothing -",
    ].map((line) => problemOf(program, commandsIn(line)[0] ?? []));
    expect(problems).toEqual([
      "unknown option '--prt'",
      "unknown command 'ad'",
      "missing required argument 'role'",
      "too many arguments",
      "unknown option '--nothing'",
    ]);
  });
});

describe("settings", () => {
  test("in TOML and in the environment are there", () => {
    const names = new Set<string>(optionNames);
    const keys = linesIn("toml").flatMap(({ path, line }) => {
      const [, key] = /^(\w+) *=/.exec(line) ?? [];
      return key === undefined ? [] : [{ path, key }];
    });
    const forOperators = present.filter(({ path }) => path !== "CONTRIBUTING.md");
    const variables = forOperators.flatMap(({ path, text }) =>
      [...text.matchAll(/\bCHATD_([A-Z][A-Z0-9_]*)\b/g)]
        .map(([, name = ""]) => ({ path, key: name.toLowerCase().replace(/_file$/, "") }))
        .filter(({ key }) => !/^config$/.test(key)),
    );
    expect(keys.length).toBeGreaterThan(4);
    expect([...keys, ...variables].filter(({ key }) => !names.has(key))).toEqual([]);
  });

  test("that are numbers stand in docs/limits.md, each with its default", () => {
    const page = readFileSync(join(root, "docs/limits.md"), "utf8");
    const rows = optionNames.filter((name) => !isSecret(name)).flatMap(rowOf);
    expect(page.split("\n").filter((line) => line.startsWith("| `"))).toEqual(rows);
  });

  test("that a running server takes over stand in docs/limits.md", () => {
    const page = readFileSync(join(root, "docs/limits.md"), "utf8");
    const [, listed = ""] = page.split("all others need a restart:\n");
    const reloading = optionNames.filter((name) => "reloads" in options[name]);
    expect([...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(reloading);
  });
});

/** The row of a number in the table of limits. */
function rowOf(name: (typeof optionNames)[number]): string[] {
  const { type, fallback, help } = options[name];
  if (type !== "integer") return [];
  return [`| \`${name}\` | ${fallback ?? "–"} | ${help} |`];
}

test("docs/clients.md has each client in the version that the tests install", () => {
  const page = readFileSync(join(root, "docs/clients.md"), "utf8");
  const rows = page.split("\n").filter((line) => /^\| `/.test(line));
  const installed = new Map(pinnedVersions());
  const wrong = rows.flatMap((row) => {
    const [, names = "", versions = ""] = row.split("|");
    const clients = [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    const expected = [...new Set(clients.map((name) => installed.get(name)))].join(", ");
    return versions.trim() === expected ? [] : [`${row}: ${expected}`];
  });
  expect(rows.length).toBeGreaterThan(5);
  expect(wrong).toEqual([]);
});

/** Versions of the packages that `test/clients/` names, those of Python and those of npm. */
function pinnedVersions(): [name: string, version: string][] {
  const files = listTree("test/clients")
    .filter((path) => /\/(requirements\.txt|package\.json)$/.test(path))
    .map((path) => readFileSync(join(root, path), "utf8"));
  return files.flatMap((text): [string, string][] =>
    [...text.matchAll(/^(?: *"([\w-]+)": "|([\w-]+)==)([\d.]+)\b/gm)].map(
      ([, npm, python, version = ""]) => [npm ?? python ?? "", version],
    ),
  );
}
