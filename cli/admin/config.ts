import { ConfigError, describeConfig } from "../../src/config/config";
import { configFileOf, configOf, noticeUnknownVariables } from "../command-config";
import { listConnectionProblems } from "../connection-problems";
import { flagsOf } from "../flags";
import { hasData } from "../operator";
import type { CommonOptions } from "../options";
import { formatTable, printResult } from "../output";
import { listStartupProblems, listStartupWarnings } from "../startup-problems";

/** `chatd admin config print`: the effective configuration, each value with its source. */
export function printConfig(options: CommonOptions) {
  noticeUnknownVariables();
  const { settings, problems } = describeConfig(flagsOf(options), configFileOf(options));
  refuse(problems);
  const rows = settings.map(({ name, value, source }) => [
    name,
    value === undefined ? "" : String(value),
    source,
  ]);
  const shown = settings.map(({ name, value, source }) => ({ name, value: value ?? null, source }));
  printResult(options, { config: shown }, formatTable(["KEY", "VALUE", "SOURCE"], rows));
}

/**
 * `chatd admin config check [--offline]`: reports everything that would keep the server from
 * starting with this configuration, and each configured service that does not answer.
 */
export async function checkConfig(options: CommonOptions & { offline?: boolean }) {
  const { problems } = describeConfig(flagsOf(options), configFileOf(options));
  refuse(problems);
  const config = configOf(options);
  const isThere = hasData(options);
  const found = listStartupProblems(config);
  // The database is opened only if the configuration itself is valid.
  const mayOpen = isThere && found.length === 0;
  if (!options.offline)
    found.push(...(await listConnectionProblems(config, mayOpen)).map(({ what }) => what));
  refuse([...new Set(found)]);
  const warnings = listStartupWarnings(config);
  printResult(options, { problems: [], warnings }, [
    ...warnings.map((warning) => `Warning: ${warning}`),
    "The configuration is in order.",
  ]);
}

function refuse(problems: readonly string[]) {
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
}
