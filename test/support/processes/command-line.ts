import type { Command } from "commander";

/* Parses calls of `chatd` in documents and in help without running them. */

/** The words of each call of `chatd` in a line for a shell, without its redirections. */
export function commandsIn(line: string): string[][] {
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

/** The mistake in the words of a command; undefined if there is none. Runs nothing. */
export function problemOf(program: Command, words: readonly string[]): string | undefined {
  let command = program;
  let rest = [...words];
  for (let name = rest[0]; name !== undefined && command.commands.length > 0; name = rest[0]) {
    const next = command.commands.find((one) => one.name() === name);
    if (!next) return name.startsWith("-") ? undefined : `unknown command '${name}'`;
    command = next;
    rest = rest.slice(1);
  }
  const before = { ...command.opts() };
  const { operands, unknown } = command.parseOptions(rest);
  // Commander's own way to save values is not used, because it would take those that a call of the
  // command has left for the first ones.
  for (const name of Object.keys(command.opts())) command.setOptionValue(name, before[name]);
  const [strange] = unknown.filter((word) => word.startsWith("-") && word !== "--help");
  if (strange !== undefined) return `unknown option '${strange}'`;
  if (unknown.includes("--help")) return undefined;
  return problemOfArguments(command, operands);
}

function problemOfArguments(command: Command, given: readonly string[]): string | undefined {
  const places = command.registeredArguments;
  const missing = places.find(({ required }, index) => required && given[index] === undefined);
  if (missing) return `missing required argument '${missing.name()}'`;
  const wrong = places.find(
    ({ argChoices, required }, index) =>
      argChoices &&
      (required || given[index] !== undefined) &&
      !argChoices.includes(given[index] ?? ""),
  );
  if (wrong) return `wrong value of ${wrong.name()}`;
  const isEndless = places.some(({ variadic }) => variadic);
  return given.length > places.length && !isEndless ? "too many arguments" : undefined;
}
