import { type Config, keyOf, type OptionName, optionNames, options } from "../src/config/config";
import type { Option } from "../src/config/option";
import { describeError, type Log } from "../src/core/log";
import { speaksHttps } from "../src/core/network/site";
import type { HttpServer } from "../src/http/serve";
import type { JobRunner } from "../src/jobs/runner";
import type { ServedCertificates } from "./served-certificates";
import type { ServiceManager } from "./service-manager";
import { listStartupProblems, listStartupWarnings } from "./startup-problems";

interface Reload {
  /** The server's configuration, which is changed here. */
  config: Config;
  /** Reads the configuration like a start; throws if it is invalid. */
  readConfig(): Config;
  log: Log;
  server: Pick<HttpServer, "limitsChanged" | "changeTls">;
  app: { jobs: Pick<JobRunner, "wake"> };
  /** The https certificates; undefined for http. */
  certificates: Pick<ServedCertificates, "read" | "tryAgain"> | undefined;
  manager: Pick<ServiceManager, "reloading" | "reloaded">;
}

/**
 * Reads the configuration again and takes over what can change while the server runs. The log names
 * these settings, and the settings that need a restart. If anything is wrong, nothing is taken
 * over.
 */
export async function reload(task: Reload): Promise<void> {
  const { config, readConfig, log, server, app, manager } = task;
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
    // The line is logged if one of the two levels permits it.
    const isNotedBefore = ["debug", "info"].includes(config.logLevel);
    if (isNotedBefore) note();
    for (const name of taken) Reflect.set(config, keyOf(name), Reflect.get(fresh, keyOf(name)));
    if (!isNotedBefore) note();
    if (taken.some((name) => name.startsWith("requests_per_minute"))) server.limitsChanged();
    if (taken.length > 0) app.jobs.wake(0);
  } catch (error) {
    const { error: what } = describeError(error);
    log.error("reload_failed", { what, what_holds: "The previous configuration stays in use." });
  } finally {
    manager.reloaded();
  }
}

/**
 * Reads the certificates again, even if only the contents of their files have changed. A server
 * that uses http uses https only after a restart. Answers whether the certificates differ from the
 * former ones.
 */
async function changeCertificates({ config, certificates, server }: Reload, fresh: Config) {
  if (!certificates || !isSameWay(config, fresh)) return false;
  certificates.tryAgain();
  return server.changeTls(certificates.read(fresh));
}

/** Whether two configurations have equal sources of certificates, if any. */
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
