import type { Reader } from "../../../db/reader";
import type { App, RealmRow } from "../../core/context";
import { badRequest } from "../../core/errors";
import { operatorClient } from "../../core/operator";
import { operatorAddress } from "../../core/operator-address";
import { roles } from "../../core/rights/role";
import { makeRandomId } from "../../core/secrets/secrets";
import { cleanName } from "../../core/text/name";
import { insertAct } from "../../core/write";
import { createSystemGroups } from "../../people/user-groups/system-groups";
import { avatarSources } from "../../people/users/avatar";
import { emailKeyOf } from "../../people/users/queries";
import { systemBots } from "../../people/users/system-bots";
import { lengthsMax } from "../../protocol/limits";
import { newRealmRow } from "../../realm/new-realm";
import { checkedSetting } from "./setting-changes";

const hostLengthMax = 253;
const hostForm = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/;

/** Whether an organization may have this host, which is in lower case. */
export const isHost = (host: string): boolean =>
  host.length <= hostLengthMax && hostForm.test(host);

interface NewRealm {
  name: string;
  /** The host name of its address, without a port. */
  host: string;
  /**
   * Settings that differ from the initial ones, by the protocol's names; groups as names of system
   * groups.
   */
  settings?: Record<string, unknown>;
}

/** A checked new realm. */
export interface PreparedRealm {
  name: string;
  host: string;
  settings: string;
  userDefaults: string;
}

/** Checks the values of a new realm. Refuses an invalid name, host or setting (BAD_REQUEST). */
export function prepareRealm({ name, host, settings = {} }: NewRealm): PreparedRealm {
  const wanted = host.trim().toLowerCase();
  if (!isHost(wanted)) {
    throw badRequest(
      `'${host}' is not a host name. Give the one that clients connect to, without a port.`,
    );
  }
  const stored = Object.entries(settings).map(([setting, value]) => {
    if (setting === "name") throw badRequest("An organization's name is not among its settings.");
    if (typeof value === "object" && value !== null)
      throw badRequest(`${setting} must be the name of a system group.`);
    return [setting, checkedSetting(setting, value)];
  });
  return { name: cleanRealmName(name), host: wanted, ...newRealmRow(Object.fromEntries(stored)) };
}

/**
 * Creates a realm with its system groups and its system bots, as part of a write. Announced to
 * nobody, because nobody is there yet. Refuses a host in use.
 */
export async function createRealmIn(
  tx: Reader,
  { name, host, settings, userDefaults }: PreparedRealm,
  now: number,
): Promise<RealmRow> {
  const { t } = tx;
  const [realm] = await tx.db
    .insert(t.realms)
    .values({ host, name, settings, userDefaults, uuid: makeRandomId(), createdAt: now })
    .onConflictDoNothing()
    .returning();
  if (!realm) throw badRequest(`There is already an organization at ${host}.`);
  await createSystemGroups(tx, realm.id, now);
  const bots = systemBots.map(({ emailAt, fullName }) => ({
    realmId: realm.id,
    email: emailAt(host),
    emailKey: emailKeyOf(emailAt(host)),
    fullName,
    role: roles.member,
    botType: 1,
    isSystemBot: true,
    avatarSource: avatarSources.generated,
    createdAt: now,
  }));
  await tx.db.insert(t.users).values(bots).returning({ id: t.users.id });
  return realm;
}

const operator = {
  actor: { kind: "operator" },
  client: operatorClient,
  clientAddress: operatorAddress,
} as const;

/**
 * Creates an organization, for the operator. Refuses invalid values and a host in use
 * (BAD_REQUEST). `now` is UNIX seconds.
 */
export async function createRealm(app: App, input: NewRealm, now: number): Promise<RealmRow> {
  const prepared = prepareRealm(input);
  return app.engine.write(
    0,
    async (tx) => {
      const realm = await createRealmIn(tx, prepared, now);
      const after = { name: realm.name, host: realm.host };
      const noted = { action: "realm.create", kind: "realm", after } as const;
      await insertAct({ ...tx, now }, realm.id, { by: operator, noted });
      return realm;
    },
    () => undefined,
  );
}

/**
 * The stored form of an organization's name; refuses one that is blank or too long (BAD_REQUEST).
 */
export const cleanRealmName = (name: string) =>
  cleanName("The organization's name", name, lengthsMax.realmName);
