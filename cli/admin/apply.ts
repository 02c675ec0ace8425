import { resolve } from "node:path";
import type { App } from "../../src/core/context";
import { operatorContext } from "../../src/core/operator";
import type { Figure } from "../../src/moving/figures/figure";
import {
  type Applied,
  adviceForOwnerless,
  applyOrganization,
  diffFromNothing,
  diffOrganization,
} from "../../src/moving/organization/apply";
import type { Change } from "../../src/moving/organization/change";
import type { Declared } from "../../src/moving/organization/declaration";
import { describeUndeclared, type Undeclared } from "../../src/moving/organization/undeclared";
import { isAgreed, requireWay } from "../consent";
import { accountCountOf, openCredentialsFile, openPrivateFile } from "../credentials-file";
import { writeLoginLinks } from "../login-links-file";
import { hasData, requireNamedData, withApp, withNewApp } from "../operator";
import type { CommonOptions } from "../options";
import { readOrganizationFile } from "../organization-file";
import { type Line, printNotice, printResult, type Style, UsageError } from "../output";
import { withProgress } from "../progress";
import { undoAtSignal } from "../signals";

const nothingToDo = "Nothing to change.";

interface ApplyOptions extends CommonOptions {
  diff?: boolean;
  prune?: boolean;
  yes?: boolean;
  credentials?: string;
  loginLinks?: string;
}

/** Exit code of `--diff` for an organization that differs from its file. */
const exitDrift = 3;

/**
 * `chatd admin apply ORG.yaml [--diff] [--prune] [--credentials FILE]`: makes an organization match
 * its file.
 */
export async function applyFile(path: string, options: ApplyOptions) {
  const { prune: prunes = false } = options;
  if (prunes && !options.diff) requireWay(options, "--diff");
  const declared = readOrganizationFile(path);
  if (options.diff) {
    const { changes, undeclared } = hasData(options)
      ? await withApp(options, (app) => diffOrganization(app, declared, { prunes }))
      : await diffFromNothing(declared);
    const lines = describeUndeclared(prunes ? withoutPruned(undeclared, changes) : undeclared);
    printChanges(options, changes, { undeclared }, lines);
    if (changes.length > 0) process.exitCode = exitDrift;
    return;
  }
  requireTwoFiles(options);
  // From here on the command works as the owner of the data, who must be able to write the file.
  requireNamedData(options);
  const { file, links } = openSecretFiles(options, accountCountOf(declared));
  const discard = () => {
    file?.discard();
    links?.discard();
  };
  const end = undoAtSignal(discard);
  try {
    const applied = await withNewApp(options, async (app): Promise<Applied | undefined> => {
      if (prunes && !(await isPruneAgreed(app, declared, options))) return undefined;
      const withCredentials = file && "all";
      const applied = await withProgress((progress) =>
        applyOrganization(app, declared, { withCredentials, prunes, progress }),
      );
      file?.write(operatorContext(app, applied.realm).url, applied);
      if (links) {
        const count = await writeLoginLinks(links, app, { realm: applied.realm, declared });
        printNotice(
          count === 1
            ? "Wrote a login link. It works once, within a week."
            : `Wrote ${count} login links. Each works once, within a week.`,
        );
      }
      return applied;
    });
    if (!applied) return;
    printChanges(options, applied.changes);
    if (!applied.hasOwner)
      printNotice(
        `The organization ${applied.realm.name} has no owner, so nobody can change all of its settings in a client. ${adviceForOwnerless}`,
      );
  } finally {
    end();
    discard();
  }
}

/** Opens both files that were asked for, or none. */
function openSecretFiles({ credentials, loginLinks }: ApplyOptions, accountCount: number) {
  const file =
    credentials === undefined ? undefined : openCredentialsFile(credentials, accountCount);
  try {
    const links = loginLinks === undefined ? undefined : openPrivateFile(loginLinks, accountCount);
    return { file, links };
  } catch (error) {
    file?.discard();
    throw error;
  }
}

/** Refuses one file for keys and for links, because the links would replace the keys. */
function requireTwoFiles({ credentials, loginLinks }: ApplyOptions) {
  if (credentials === undefined || loginLinks === undefined) return;
  if (resolve(credentials) === resolve(loginLinks))
    throw new UsageError("--credentials and --login-links need a file each: name two.");
}

const withoutPruned = (undeclared: Undeclared, changes: readonly Change[]): Undeclared => {
  const pruned = new Set<string>(changes.flatMap(({ prunes }) => prunes ?? []));
  return Object.fromEntries(Object.entries(undeclared).filter(([part]) => !pruned.has(part)));
};

/**
 * Consent to a prune, with the numbers of the accounts and channels that it deactivates and
 * archives.
 */
async function isPruneAgreed(
  app: App,
  declared: Declared,
  options: ApplyOptions,
): Promise<boolean> {
  const { changes } = await diffOrganization(app, declared, { prunes: true });
  const pruned = changes.flatMap(({ prunes }) => prunes ?? []);
  if (pruned.length === 0) return true;
  const { name, host } = declared.declaration.realm;
  const figures: Figure[] = [...Map.groupBy(pruned, (part) => part)].map(
    ([part, { length: count }]) => ({
      name: part,
      count,
      what: `${part} that the file does not declare`,
    }),
  );
  const bots = changes.flatMap(({ endedBots = [] }) => endedBots);
  if (bots.length > 0)
    figures.push({
      name: "bots_of_users",
      count: bots.length,
      what: "bots that end with their owner",
    });
  const notes = ["They are deactivated or archived, and can be brought back."];
  return isAgreed(options, { act: `prune ${name} (${host})`, name: host, figures, notes });
}

function printChanges(
  options: ApplyOptions,
  changes: readonly Change[],
  more: Record<string, unknown> = {},
  notes: readonly string[] = [],
) {
  const lines = changes.flatMap((change) => change.lines);
  const shown = lines.length === 0 ? [nothingToDo] : lines.map(inColor);
  printResult(options, { changes: lines, ...more }, [...shown, ...notes]);
}

const stylesBySign: Record<string, Style> = { "+": "green", "-": "red", "~": "yellow" };

const inColor = (text: string): Line => ({ text, style: stylesBySign[text.charAt(0)] });
