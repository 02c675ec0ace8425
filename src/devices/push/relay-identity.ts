import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/config";
import { codeOf } from "../../core/error-code";
import { badRequest } from "../../core/errors";
import { parsedJson } from "../../core/json/parsed-json";
import { isRecord } from "../../core/json/record";
import { makeApiKey, makeRandomId } from "../../core/secrets/secrets";
import { whyNotUsed } from "../../core/storage/file-failure";
import { replacePrivateFile } from "../../core/storage/private-file";

/** Id and key by which a push relay knows this server. */
export interface RelayIdentity {
  id: string;
  key: string;
  /** A key that the relay was asked to take in place of the other one, until it has answered. */
  nextKey?: string;
}

/** The file that keeps the identity, in the data folder. */
export const identityPath = ({ data }: Pick<Config, "data">) => join(data, "push-relay.json");

/** Whether the operator has configured id and key, which then hold for all nodes. */
export const isConfigured = ({ pushRelayId, pushRelayKey }: Config): boolean =>
  pushRelayId !== undefined || pushRelayKey !== undefined;

/**
 * The configured identity, or else the one that a registration has kept in the data folder. Refuses
 * half a configured one, and a file that is there but has none (BAD_REQUEST), because the relay
 * would take a new identity for another server.
 */
export function findIdentity(config: Config): RelayIdentity | undefined {
  if (!isConfigured(config)) return readKept(config);
  const { pushRelayId: id, pushRelayKey: key } = config;
  if (id !== undefined && key !== undefined) return { id, key };
  throw badRequest("push_relay_id and push_relay_key belong together: one of them is missing.");
}

/** Value of the header `Authorization` by which a relay knows this server. */
export const credentialsOf = (id: string, key: string): string =>
  `Basic ${Buffer.from(`${id}:${key}`).toString("base64")}`;

function readKept(config: Config): RelayIdentity | undefined {
  const path = identityPath(config);
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  const kept = parsedJson(text);
  const { id, key, nextKey } = isRecord(kept) ? kept : {};
  if (typeof id !== "string" || typeof key !== "string")
    throw badRequest(
      `${path} is damaged: bring it back from a copy. Without one, ask the operator of the push relay to take this server's entry away, remove the file, and register anew.`,
    );
  return { id, key, ...(typeof nextKey === "string" ? { nextKey } : {}) };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw badRequest(whyNotUsed(path, error));
  }
}

/** Saves an identity to a file of the data folder that only its owner can read. */
export function keepIdentity(config: Config, identity: RelayIdentity) {
  const path = identityPath(config);
  try {
    replacePrivateFile(path, `${path}.${makeRandomId()}`, `${JSON.stringify(identity)}\n`);
  } catch (error) {
    throw badRequest(whyNotUsed(path, error));
  }
}

/** A key as push relays take them: 64 letters and digits. */
export const makeRelayKey = () => makeApiKey() + makeApiKey();
