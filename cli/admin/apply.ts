import { operatorContext } from "../../src/core/operator";
import {
  type Applied,
  applyOrganization,
  diffFromNothing,
  diffOrganization,
} from "../../src/moving/organization/apply";
import type { Change } from "../../src/moving/organization/change";
import { openCredentialsFile } from "../credentials-file";
import { hasData, requireNamedData, withApp, withNewApp } from "../operator";
import type { CommonOptions } from "../options";
import { readOrganizationFile } from "../organization-file";
import { type Line, printResult, type Style } from "../output";
import { withProgress } from "../progress";
import { undoAtSignal } from "../signals";

const nothingToDo = "Nothing to change.";

type ApplyOptions = CommonOptions & { diff?: boolean; credentials?: string };

/**
 * `chatd admin apply ORG.yaml [--diff] [--credentials FILE]`: makes an organization what its file
 * declares.
 */
export async function applyFile(path: string, options: ApplyOptions) {
  const declared = readOrganizationFile(path);
  if (options.diff) {
    const changes = hasData(options)
      ? await withApp(options, (app) => diffOrganization(app, declared))
      : await diffFromNothing(declared);
    return printChanges(options, changes);
  }
  // The command works as the owner of the data from here on, who has to be able to write the file.
  requireNamedData(options);
  const file =
    options.credentials === undefined ? undefined : openCredentialsFile(options.credentials);
  const end = undoAtSignal(() => file?.discard());
  try {
    const { changes } = await withNewApp(options, async (app): Promise<Applied> => {
      const withCredentials = file && "all";
      const applied = await withProgress((progress) =>
        applyOrganization(app, declared, { withCredentials, progress }),
      );
      file?.write(operatorContext(app, applied.realm).url, applied);
      return applied;
    });
    printChanges(options, changes);
  } finally {
    end();
    file?.discard();
  }
}

function printChanges(options: ApplyOptions, changes: readonly Change[]) {
  const lines = changes.flatMap((change) => change.lines);
  printResult(options, { changes: lines }, lines.length === 0 ? [nothingToDo] : lines.map(inColor));
}

const stylesBySign: Record<string, Style> = { "+": "green", "-": "red", "~": "yellow" };

const inColor = (text: string): Line => ({ text, style: stylesBySign[text.charAt(0)] });
