import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config";
import { parsedJson } from "../../core/parsed-json";
import { isRecord } from "../../core/record";
import { makeApiKey, makeRandomId } from "../../core/secrets";

/** Id and key by which a push relay knows this server. */
export interface RelayIdentity {
  id: string;
  key: string;
  /** A key that the relay was asked to take in place of the other one, until it has answered. */
  nextKey?: string;
}

const pathIn = ({ data }: Pick<Config, "data">) => join(data, "push-relay.json");

/** Whether the operator has configured id and key, which then hold for all nodes. */
export const isConfigured = ({ pushRelayId, pushRelayKey }: Config): boolean =>
  pushRelayId !== undefined || pushRelayKey !== undefined;

/** The configured identity, or else the one that a registration has kept in the data folder. */
export function findIdentity(config: Config): RelayIdentity | undefined {
  const { pushRelayId: id = "", pushRelayKey: key = "" } = config;
  return isConfigured(config) ? { id, key } : readKept(config);
}

function readKept(config: Config): RelayIdentity | undefined {
  const kept = parsedJson(attemptToRead(pathIn(config)));
  if (!isRecord(kept)) return undefined;
  const { id, key, nextKey } = kept;
  if (typeof id !== "string" || typeof key !== "string") return undefined;
  return { id, key, ...(typeof nextKey === "string" ? { nextKey } : {}) };
}

function attemptToRead(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Keeps an identity in the data folder, in a file that is its owner's alone. */
export function keepIdentity(config: Config, identity: RelayIdentity) {
  const path = pathIn(config);
  const draft = `${path}.${makeRandomId()}`;
  writeFileSync(draft, `${JSON.stringify(identity)}\n`, { mode: 0o600, flag: "wx" });
  renameSync(draft, path);
}

/** A key as push relays take them: 64 letters and digits. */
export const makeRelayKey = () => makeApiKey() + makeApiKey();
