import { open } from "node:fs/promises";
import { badRequest } from "../../src/core/errors";
import { whyNotWritten } from "../../src/core/storage/file-failure";
import { importFile } from "../../src/moving/import/import-file";
import type { ImportReport } from "../../src/moving/import/realm-import";
import type { Skipped } from "../../src/moving/import/report";
import type { ImportSource } from "../../src/moving/import/sources";
import { withNewApp } from "../operator";
import type { CommonOptions } from "../options";
import { formatTable, leftOutLines, printResult } from "../output";
import { type Progress, withProgress } from "../progress";
import { catchSignals } from "../signals";

const privateFile = 0o600;
/** Tables whose rows the output counts. */
const counted = [
  "users",
  "channels",
  "user_groups",
  "messages",
  "reactions",
  "attachments",
  "realm_emoji",
];

interface ImportOptions extends CommonOptions {
  from: ImportSource;
  host: string;
  name?: string;
  dryRun?: boolean;
  skipped?: string;
}

/** `chatd admin import FILE` */
export async function importOrganization(path: string, options: ImportOptions) {
  const { from, host, name, dryRun: isDry = false } = options;
  const check = catchSignals("Interrupted. Run the command again to continue.");
  const notes = await openNotes(options.skipped);
  try {
    const report = await withProgress((progress) => {
      const checked: Progress = (...done) => {
        check();
        progress(...done);
      };
      const wanted = { from, host, name, isDry };
      return withNewApp(options, (app) =>
        importFile(app, path, wanted, { progress: checked, tell: notes.add }),
      );
    });
    print(options, report, isDry);
  } finally {
    await notes.close();
  }
}

function print(
  options: ImportOptions,
  { realm, wasThere, rows, skipped }: ImportReport,
  isDry: boolean,
) {
  const left = Object.entries(skipped);
  const result = {
    realm: realm?.id ?? null,
    is_dry_run: isDry,
    was_there: wasThere,
    rows,
    skipped,
  };
  printResult(options, result, [
    firstLine(options.host, wasThere, isDry),
    ...formatTable(
      ["WHAT", "COUNT"],
      counted.map((table) => [table, String(rows[table] ?? 0)]),
    ),
    ...leftOutLines(left),
    ...(isDry || wasThere
      ? []
      : [
          "",
          "Nobody has an API key yet. People without a password sign in with chatd admin user login-link, or set a new password.",
        ]),
  ]);
}

function firstLine(host: string, wasThere: boolean, isDry: boolean): string {
  if (wasThere)
    return `The organization at ${host} has already been imported completely. Nothing was changed.`;
  return isDry
    ? `This would be imported to ${host}. Nothing was changed.`
    : `Imported the organization at ${host}.`;
}

/** Opens the file that lists everything that is left out. */
async function openNotes(path: string | undefined) {
  if (path === undefined) return { add: () => undefined, close: async () => undefined };
  const file = await open(path, "wx", privateFile).catch((error: unknown) => {
    throw badRequest(whyNotWritten(path, error));
  });
  const stream = file.createWriteStream();
  return {
    add: (skipped: Skipped) => void stream.write(`${JSON.stringify(skipped)}\n`),
    close: () => new Promise<void>((resolve) => stream.end(() => resolve())),
  };
}
