import type { App, RealmRow } from "../../core/context";
import { badRequest } from "../../core/errors";
import { siteOf } from "../../core/network/site";
import { makeRandomId } from "../../core/secrets/secrets";
import { featureLevel, protocolVersion } from "../../core/version";
import { authenticationMethods } from "../../realm/authentication-methods";
import { listRealms } from "../../realm/queries";
import { parseRealmSettings } from "../../realm/settings";
import { askRelay, type RelayAnswer } from "./relay";
import {
  findIdentity,
  identityPath,
  isConfigured,
  keepIdentity,
  makeRelayKey,
  type RelayIdentity,
} from "./relay-identity";

export interface Registration {
  /** Name by which the relay knows this server; the host of the first organization by default. */
  host: string | undefined;
  /** Address of the operator, to whom the relay writes. */
  contact: string;
  /** Whether the key is replaced by a new one. */
  rotatesKey: boolean;
}

/**
 * Registers this server at the push relay, with its active organizations, so that the relay takes
 * their notifications; again, it tells the relay what has changed. Id and key are made by this
 * server and kept in the data folder, unless they are configured; a new key is kept before the
 * relay hears of it, because its answer may be lost. Refuses (BAD_REQUEST) without a configured
 * relay or an organization, a new key where the configuration has the old one, and whatever the
 * relay refuses. Source: the routes of the protocol's own service, remotes/server/register and
 * server/analytics.
 */
export async function registerServer(
  app: App,
  { host, contact, rotatesKey }: Registration,
): Promise<{ id: string; host: string; isNew: boolean; organizations: number }> {
  const { config } = app;
  if (config.pushRelayUrl === undefined)
    throw badRequest("There is no push relay: set push_relay_url to the address of the service.");
  if (rotatesKey && isConfigured(config))
    throw badRequest(
      `The key is set in the configuration, which commands do not change. Write the ID and the key as JSON to ${identityPath(config)}, remove push_relay_id and push_relay_key from the configuration, and run this again; docs/push.md has the steps.`,
    );
  const realms = (await listRealms(app.engine.reader)).filter(({ isActive }) => isActive);
  const [first] = realms;
  if (!first)
    throw badRequest("There is no organization yet, but the relay needs the host of one.");
  const hostname = host ?? first.host;
  const identity = identityFor(app, rotatesKey);
  const answer = await announce(app, first, identity, { hostname, contact_email: contact });
  const settled = { id: identity.id, key: identity.nextKey ?? identity.key };
  if (!isConfigured(config)) keepIdentity(config, settled);
  await announceRealms(app, first, settled, realms);
  return {
    id: settled.id,
    host: hostname,
    isNew: answer["created"] === true,
    organizations: realms.length,
  };
}

/** The identity to register, kept before anything is sent. */
function identityFor({ config }: App, rotatesKey: boolean): RelayIdentity {
  const found = findIdentity(config) ?? { id: makeRandomId(), key: makeRelayKey() };
  if (isConfigured(config)) return found;
  const nextKey = rotatesKey ? (found.nextKey ?? makeRelayKey()) : found.nextKey;
  const identity = { ...found, ...(nextKey === undefined ? {} : { nextKey }) };
  keepIdentity(config, identity);
  return identity;
}

/**
 * Registers with the key first, because a relay ignores a new one for a server it does not know.
 */
async function announce(
  app: App,
  realm: RealmRow,
  { id, key, nextKey }: RelayIdentity,
  facts: Record<string, string>,
): Promise<Record<string, unknown>> {
  const send = (zulip_org_key: string, more: Record<string, string> = {}) =>
    post(app, realm, "server/register", { zulip_org_id: id, zulip_org_key, ...facts, ...more });
  const registered = await send(key);
  if (nextKey === undefined) return doneOr(registered);
  if (registered.is === "refused") {
    // Where an earlier answer was lost, the relay has the new key already.
    const renewed = await send(nextKey);
    return renewed.is === "done" ? renewed.body : doneOr(registered);
  }
  const answer = doneOr(registered);
  doneOr(await send(key, { new_org_key: nextKey }));
  return answer;
}

/** Tells the relay the active organizations, of which it takes notifications from then on. */
async function announceRealms(
  app: App,
  realm: RealmRow,
  identity: RelayIdentity,
  realms: readonly RealmRow[],
) {
  const facts = {
    realm_counts: [],
    installation_counts: [],
    realms: realms.map((one) => realmFacts(app, one)),
    version: protocolVersion,
    merge_base: null,
    api_feature_level: featureLevel,
  };
  const fields = Object.entries(facts).map(([name, value]) => [name, JSON.stringify(value)]);
  doneOr(await post(app, realm, "server/analytics", Object.fromEntries(fields), identity));
}

const realmFacts = (app: App, realm: RealmRow) => ({
  id: realm.id,
  uuid: realm.uuid,
  uuid_owner_secret: app.secrets.hash("push-realm", realm.uuid),
  host: realm.host,
  url: siteOf({ app, realm }),
  name: realm.name,
  org_type: parseRealmSettings(realm.settings).org_type,
  date_created: realm.createdAt,
  deactivated: false,
  is_system_bot_realm: false,
  authentication_methods: Object.fromEntries(
    Object.entries(authenticationMethods).map(([name, { enabled }]) => [name, enabled]),
  ),
});

const post = (
  app: App,
  realm: RealmRow,
  path: string,
  fields: Record<string, string>,
  identity?: RelayIdentity,
): Promise<RelayAnswer> => {
  const text = new URLSearchParams(fields).toString();
  const posted = { type: "application/x-www-form-urlencoded", text };
  return askRelay({ app, realm }, path, posted, { identity });
};

function doneOr(answer: RelayAnswer): Record<string, unknown> {
  switch (answer.is) {
    case "done":
      return answer.body;
    case "unreachable":
      throw badRequest(`The push relay cannot be reached: ${answer.reason}`);
    case "failed":
      throw badRequest(`The push relay failed with status ${answer.status}. Try again later.`);
    case "refused":
      throw badRequest(whyRefused(answer));
  }
}

const whyRefused = ({ code, message, status }: Extract<RelayAnswer, { is: "refused" }>): string =>
  code === "HOSTNAME_ALREADY_IN_USE_BOUNCER_ERROR"
    ? "Another server is registered at the push relay by this host: name another one with --name, or ask the operator of the relay to take that entry away."
    : `The push relay has refused it: ${message || code || status}`;
