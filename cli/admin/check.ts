import type { Config } from "../../src/config/config";
import { ApiError } from "../../src/core/errors";
import {
  checkContent,
  checkDatabase,
  type Finding,
  type Progress,
} from "../../src/moving/check/check";
import { repairIndex } from "../../src/moving/check/repair";
import { configOf } from "../command-config";
import { requireData, withApp } from "../operator";
import type { CommonOptions } from "../options";
import { printResult } from "../output";
import { withProgress } from "../progress";

type Options = CommonOptions & { repair?: boolean; all?: boolean };

const emptied = "The search index was emptied: servers make it anew in the background.";

/** `chatd admin check [--repair] [--all]` */
export async function check(options: Options) {
  requireData(options);
  const config = configOf(options);
  const { findings, notes } = await withProgress((progress) =>
    checkData(config, options, progress),
  );
  const lines =
    findings.length === 0 ? ["Nothing was found: the data is sound."] : findings.flatMap(linesOf);
  printResult(options, { findings, notes }, [...notes, ...lines]);
  if (findings.length === 0) return;
  throw new ApiError(
    "STORAGE_DAMAGED",
    findings.length === 1 ? "1 problem was found." : `${findings.length} problems were found.`,
    500,
  );
}

/**
 * Nothing is written into a damaged database, unless only the search index is damaged and is to be
 * rebuilt.
 */
async function checkData(config: Config, options: Options, progress: Progress) {
  let { findings, notes } = await checkDatabase(config, progress);
  const isWritable =
    findings.length === 0 ||
    (options.repair === true && findings.every(({ isOfIndex }) => isOfIndex));
  if (!isWritable) return { findings, notes };
  if (options.repair) {
    await withApp(options, repairIndex);
    notes = [...notes, emptied];
    ({ findings } = await checkDatabase(config, progress));
  }
  const wanted = { namesAll: options.all === true };
  const content = await withApp(options, (app) => checkContent(app, progress, wanted));
  return { findings: [...findings, ...content], notes };
}

const linesOf = ({ part, what, whatToDo }: Finding) => [`${part}: ${what}`, `  ${whatToDo}`];
