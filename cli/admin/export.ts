import type { Context } from "../../src/core/context";
import { protocolVersion } from "../../src/core/version";
import { exportReadable } from "../../src/moving/readable/export";
import type { ExportFormName, ReadableFormName } from "../../src/moving/readable/form";
import { exportToFile, noteExport } from "../../src/moving/realm-archive/to-file";
import { exportReference } from "../../src/moving/reference/export";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { leftOutLines, printResult, UsageError } from "../output";
import { withProgress } from "../progress";
import { catchSignals } from "../signals";

const noteWhole = (ctx: Context) =>
  noteExport(ctx, { type: "full_without_consent", withPasswords: false });

/** `chatd admin export FOLDER --as html|jsonl` */
async function exportToRead(path: string, options: RealmOptions & { as: ReadableFormName }) {
  const check = catchSignals();
  const { host, report } = await withOperator(options, async (ctx) => {
    const report = await withProgress((progress) =>
      exportReadable(ctx, path, options.as, { progress, check, begun: () => noteWhole(ctx) }),
    );
    return { host: ctx.realm.host, report };
  });
  const { messages, files, filesMissing } = report;
  printResult(options, { folder: path, messages, files, files_missing: filesMissing }, [
    `Exported the organization at ${host} to be read: ${messages} messages, ${files} files.`,
    ...(filesMissing > 0
      ? [`${filesMissing} files that messages name are not there any more.`]
      : []),
    "It holds all private messages: keep it as safe as those. It cannot be imported.",
  ]);
}

/** `chatd admin export FILE --as zulip` */
async function exportForZulip(path: string, options: RealmOptions) {
  const check = catchSignals();
  const { host, report } = await withOperator(options, async (ctx) => {
    const report = await withProgress((progress) =>
      exportReference(ctx, path, { progress, check, begun: () => noteWhole(ctx) }),
    );
    return { host: ctx.realm.host, report };
  });
  const { messages, files, leftOut } = report;
  const left = Object.entries(leftOut);
  printResult(options, { file: path, messages, files, left_out: leftOut }, [
    `Exported the organization at ${host} for Zulip ${protocolVersion}: ${messages} messages, ${files} files.`,
    ...leftOutLines(left),
    ...(left.length === 0 ? [] : [""]),
    "It holds all private messages: keep it as safe as those. It holds no passwords: people reset theirs there.",
  ]);
}

/** `chatd admin export FILE` */
export async function exportOrganization(
  path: string,
  options: RealmOptions & { public?: boolean; withPasswords?: boolean; as?: ExportFormName },
) {
  const { as } = options;
  if (as !== undefined && (options.public || options.withPasswords))
    throw new UsageError(
      "With --as, an export has all messages and no passwords: do not use --public or --with-passwords.",
    );
  if (as === "zulip") return exportForZulip(path, options);
  if (as !== undefined) return exportToRead(path, { ...options, as });
  const { public: isPublic = false, withPasswords = false } = options;
  if (isPublic && withPasswords)
    throw new UsageError("A public export contains no passwords: use only one of the two options.");
  const check = catchSignals();
  const type = isPublic ? ("public" as const) : ("full_without_consent" as const);
  const { host, report } = await withOperator(options, async (ctx) => {
    const { app, realm } = ctx;
    const begun = () => noteExport(ctx, { type, withPasswords });
    const report = await withProgress((progress) =>
      exportToFile(app, realm, path, { type, withPasswords }, { progress, check, begun }),
    );
    return { host: realm.host, report };
  });
  const { messages, files, filesMissing } = report;
  printResult(
    options,
    { file: path, ...report, filesMissing: undefined, files_missing: filesMissing },
    [
      `Exported the organization at ${host}: ${messages} messages, ${files} files.`,
      ...(filesMissing > 0
        ? [`${filesMissing} files that messages name are not there any more.`]
        : []),
      isPublic
        ? "It holds only data that everybody in the organization may read."
        : `It holds all private messages${withPasswords ? " and the hashes of passwords" : ""}: keep it as safe as those.`,
    ],
  );
}
