import type { Command } from "commander";
import { badRequest } from "../src/core/errors";
import type { Figure } from "../src/moving/figures/figure";
import type { CommonOptions } from "./options";
import { printable, printNotice, printResult, UsageError } from "./output";
import { askAtTerminal } from "./terminal-line";

/**
 * Consent to commands that are hard to undo: `withConsent` declares every such command, and
 * `isAgreed` asks.
 */

interface ConsentOptions extends CommonOptions {
  yes?: boolean;
  dryRun?: boolean;
}

/** An act that a command is about to do, for a person to confirm. */
export interface Plan {
  /** Begins with a verb: `delete the topic 'lunch' of the channel general`. */
  act: string;
  /** Name that the person must type at a terminal. */
  name: string;
  /** Numbers of the affected messages, people and files. */
  figures: readonly Figure[];
  /** Sentences about things that stay, and things that can be undone. */
  notes?: readonly string[];
}

const declared = new WeakSet<Command>();

/** Whether a command is declared as hard to undo. */
export const isDestructive = (command: Command): boolean => declared.has(command);

/** Declares a command as hard to undo: it asks first, and takes `--yes` and `--dry-run`. */
export function withConsent(command: Command): Command {
  declared.add(command);
  return command
    .option("--yes", "do it without asking; needed in scripts, where nobody can answer")
    .option("--dry-run", "only say what would happen, with numbers")
    .hook("preAction", (_, action) => requireWay(action.opts()));
}

/**
 * Refuses a script without `--yes` and `--dry-run` before any data is opened; `shows` names the
 * option that shows the consequences.
 */
export function requireWay({ yes, dryRun }: ConsentOptions, shows = "--dry-run") {
  if (yes || dryRun || process.stdin.isTTY) return;
  throw new UsageError(
    "This is hard to undo, and there is no terminal to ask for confirmation. " +
      `See what would happen with ${shows}, then do it with --yes.`,
  );
}

/**
 * Whether the command may continue: with `--yes`, or when a person has typed the name. With
 * `--dry-run` it prints the consequences instead. Refuses (BAD_REQUEST) any other name.
 */
export async function isAgreed(options: ConsentOptions, plan: Plan): Promise<boolean> {
  const { act, name, figures, notes = [] } = plan;
  const details = [...figures.map(lineOf), ...notes];
  if (options.dryRun) {
    const counts = Object.fromEntries(figures.map((figure) => [figure.name, figure.count]));
    printResult(options, { is_dry_run: true, act, ...counts, notes }, [
      `This would ${act}.`,
      ...details,
      "Nothing was changed.",
    ]);
    return false;
  }
  if (options.yes) return true;
  for (const line of [`This will ${act}.`, ...details]) printNotice(line);
  const wanted = printable(name);
  const typed = await askAtTerminal(`Type ${wanted} to continue: `);
  if (isSame(typed, wanted)) return true;
  throw badRequest("The name does not match. Nothing was changed.");
}

const lineOf = ({ count, what }: Figure) => `  ${count.toLocaleString("en-US")} ${what}`;

const isSame = (typed: string, name: string) =>
  typed.trim().normalize("NFC") === name.trim().normalize("NFC");
