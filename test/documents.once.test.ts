import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Command } from "commander";
import { wholeProgram } from "../cli/program";
import { isSecret, optionNames, options } from "../src/config";
import { listTree, root } from "./support/source-tree";

/* README and the pages of `docs/`: their links, commands, settings and limits are true. */

const decisions = /^docs\/decisions\//;
/** Sentences of the specification, which show what Markdown looks like. */
const quoted = "docs/protocol/specification.md";
const pages = ["README.md", "CONTRIBUTING.md", ...listTree("docs")]
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

/** The words of each call of `chatd` in a line for a shell, without its redirections. */
function commandsIn(line: string): string[][] {
  const words = [...line.matchAll(/#.*$|'[^']*'|"(?:\\.|[^"])*"|<\(|[|;&<>()]+|[^\s|;&<>()'"]+/g)]
    .map(([word]) => word)
    .filter((word) => !word.startsWith("#"));
  const commands: string[][] = [[]];
  for (const [index, word] of words.entries()) {
    if (/^[|;&()]+$|^<\($/.test(word)) commands.push([]);
    else if (/^[<>]+$/.test(word) || /^[<>]+$/.test(words[index - 1] ?? "")) continue;
    else commands.at(-1)?.push(word.replace(/^(['"])(.*)\1$/, "$2"));
  }
  return commands.map(afterPrefix).flatMap(([name, ...rest]) => (name === "chatd" ? [rest] : []));
}

/** A command without the variables before it, and without `sudo -u NAME`. */
function afterPrefix(words: readonly string[]): readonly string[] {
  const [first = ""] = words;
  if (first === "sudo") return afterPrefix(words.slice(words[1] === "-u" ? 3 : 1));
  return /^[A-Z_]+=/.test(first) ? afterPrefix(words.slice(1)) : words;
}

/** The mistake in the words of a command; undefined where there is none. Runs nothing. */
function problemOf(program: Command, words: readonly string[]): string | undefined {
  let command = program;
  let rest = [...words];
  for (let name = rest[0]; name !== undefined && command.commands.length > 0; name = rest[0]) {
    const next = command.commands.find((one) => one.name() === name);
    if (!next) return name.startsWith("-") ? undefined : `unknown command '${name}'`;
    command = next;
    rest = rest.slice(1);
  }
  const { operands, unknown } = command.parseOptions(rest);
  const [strange] = unknown.filter((word) => word.startsWith("-") && word !== "--help");
  if (strange !== undefined) return `unknown option '${strange}'`;
  if (unknown.includes("--help")) return undefined;
  return problemOfArguments(command, operands);
}

function problemOfArguments(command: Command, given: readonly string[]): string | undefined {
  const places = command.registeredArguments;
  const missing = places.find(({ required }, index) => required && given[index] === undefined);
  if (missing) return `missing required argument '${missing.name()}'`;
  const isEndless = places.some(({ variadic }) => variadic);
  return given.length > places.length && !isEndless ? "too many arguments" : undefined;
}

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
