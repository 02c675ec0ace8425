import { existsSync } from "node:fs";
import { ConfigError, describeConfig } from "../../src/config/config";
import { configFileOf, configOf } from "../command-config";
import { findInConfiguration, findOpenConfiguration } from "../doctor/configuration";
import { findByConnecting } from "../doctor/connections";
import { findInData } from "../doctor/data";
import { type Check, type Finding, pages } from "../doctor/finding";
import { findInDataFolder, findInUnits } from "../doctor/machine";
import { flagsOf } from "../flags";
import { hasData, withApp } from "../operator";
import type { CommonOptions } from "../options";
import { printNotice, printResult, UsageError } from "../output";

interface Options extends CommonOptions {
  offline?: boolean;
  unit?: string;
}

/**
 * `chatd admin doctor [--offline] [--unit <file>]`: reports each problem of the server, with what
 * to do. Changes nothing. Fails (exit code 1) if there is one.
 */
export async function examine(options: CommonOptions & { offline?: boolean; except?: Check[] }) {
  const all = withoutEchoes(await findAll(options));
  const findings = all.filter(({ check }) => !options.except?.includes(check));
  const lines = findings.flatMap(({ check, what, remedy }) => [
    { text: `${check}: ${what}`, style: "yellow" as const },
    `  ${remedy} (${pages[check]})`,
  ]);
  if (!options.json && findings.length === 0) {
    printNotice(sourceOf(options));
    if (!hasData(options))
      printNotice(
        `There is no data in ${configOf(options).data} yet, so the doctor checked none. If there should be, name its folder with --data.`,
      );
  }
  const listed = findings.map((finding) => ({ ...finding, page: pages[finding.check] }));
  printResult(options, { findings: listed }, lines.length > 0 ? lines : ["Nothing was found."]);
  if (findings.length > 0)
    throw new Error(
      findings.length === 1 ? "1 problem was found." : `${findings.length} problems were found.`,
    );
}

function sourceOf(options: CommonOptions): string {
  const file = configFileOf(options);
  return file === undefined
    ? "There is no configuration file, so the doctor checked flags and variables."
    : `The doctor checked the configuration file ${file}, flags and variables.`;
}

/** Findings without those that only repeat an earlier finding, which names the cause. */
const withoutEchoes = (all: readonly Finding[]): Finding[] =>
  all.filter(({ what }, index) => !all.slice(0, index).some((one) => what.endsWith(one.what)));

async function findAll(options: Options): Promise<Finding[]> {
  const { unit } = options;
  if (unit !== undefined && !existsSync(unit)) throw new UsageError(`There is no unit ${unit}.`);
  const configFile = configFileOf(options);
  const { settings, problems } = describeConfig(flagsOf(options), configFile);
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  const config = configOf(options);
  const ofMachine = [
    ...findOpenConfiguration(configFile, settings),
    ...findInDataFolder(config),
    ...findInUnits(unit),
  ];
  const isThere = hasData(options);
  const ofConfiguration = findInConfiguration(config);
  // The database is opened only if the configuration itself is valid.
  const refused = ofConfiguration.some(({ check }) => check === "configuration");
  const ofServices = options.offline ? [] : await findByConnecting(config, isThere && !refused);
  const found = [...ofMachine, ...ofConfiguration, ...ofServices];
  const mayOpen = isThere && !refused && !found.some(({ check }) => check === "database");
  if (!mayOpen) return found;
  const ofData = await withApp(options, findInData).catch(findUnopened);
  return [...found, ...ofData];
}

/** Data that does not exist yet, or that the next start migrates, is not a problem. */
function findUnopened(error: unknown): Finding[] {
  const name = error instanceof Error ? error.name : "";
  if (name === "OlderSchemaError" || name === "NoDataError") return [];
  const what = `The data cannot be opened: ${error instanceof Error ? error.message : error}`;
  const remedy = "Read what the server prints when it starts, or run: chatd admin check";
  return [{ check: "database", what, remedy }];
}
