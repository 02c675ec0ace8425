import { type Config, keyOf, type OptionName, optionNames, options } from "../src/config";
import type { Option } from "../src/config-option";
import { describeError, type Log } from "../src/core/log";
import { speaksHttps } from "../src/core/site";
import type { HttpServer } from "../src/http/serve";
import type { ServedCertificates } from "./served-certificates";
import type { ServiceManager } from "./service-manager";
import { listStartupProblems, listStartupWarnings } from "./startup-problems";

interface Reload {
  /** The configuration that the server works with, which changes here. */
  config: Config;
  /** Reads the configuration as a start would; throws where it cannot be used. */
  readConfig(): Config;
  log: Log;
  server: Pick<HttpServer, "limitsChanged" | "changeTls">;
  /** The certificates that it speaks https with; undefined where it speaks http. */
  certificates: Pick<ServedCertificates, "read" | "tryAgain"> | undefined;
  manager: Pick<ServiceManager, "reloading" | "reloaded">;
}

/**
 * Reads the configuration anew and takes over what can change while the server runs; the log has
 * these settings by name, and those that need a restart. Where anything is wrong with it, nothing of
 * it is taken.
 */
export async function reload(task: Reload): Promise<void> {
  const { config, readConfig, log, server, manager } = task;
  try {
    manager.reloading();
    const fresh = readConfig();
    const problems = listStartupProblems(fresh);
    if (problems.length > 0) throw new Error(problems.join("\n"));
    const hasOtherCertificate = await changeCertificates(task, fresh);
    for (const what of listStartupWarnings(fresh)) log.warn("configuration", { what });
    const { taken, needRestart } = listChanges(config, fresh);
    const certificate = hasOtherCertificate ? "another one" : undefined;
    const note = () =>
      log.info("configuration_taken", { taken, need_restart: needRestart, certificate });
    // The line is there, if one of the two levels has it.
    const isNotedBefore = ["debug", "info"].includes(config.logLevel);
    if (isNotedBefore) note();
    for (const name of taken) Reflect.set(config, keyOf(name), Reflect.get(fresh, keyOf(name)));
    if (!isNotedBefore) note();
    if (taken.some((name) => name.startsWith("requests_per_minute"))) server.limitsChanged();
  } catch (error) {
    const { error: what } = describeError(error);
    log.error("reload_failed", { what, what_holds: "The configuration from before stays in use." });
  } finally {
    manager.reloaded();
  }
}

/**
 * Reads the certificates anew, also where their files have other content alone. A server that speaks http
 * speaks https only after a restart. Answers whether they are others than before.
 */
async function changeCertificates({ config, certificates, server }: Reload, fresh: Config) {
  if (!certificates || !isSameWay(config, fresh)) return false;
  certificates.tryAgain();
  return server.changeTls(certificates.read(fresh));
}

/** Whether two configurations have their certificates, if any, in one way. */
const isSameWay = (config: Config, fresh: Config): boolean =>
  config.https === fresh.https && speaksHttps(config) === speaksHttps(fresh);

/** Names of the settings that differ: those that a running server takes over, and all others. */
function listChanges(config: Config, fresh: Config) {
  const differing = optionNames.filter(
    (name) => Reflect.get(config, keyOf(name)) !== Reflect.get(fresh, keyOf(name)),
  );
  const isTaken = (name: OptionName) =>
    doesReload(name) && (isSameWay(config, fresh) || !name.startsWith("tls_"));
  return {
    taken: differing.filter(isTaken),
    needRestart: differing.filter((name) => !isTaken(name)),
  };
}

const doesReload = (name: OptionName): boolean => {
  const option: Option = options[name];
  return option.reloads === true;
};
