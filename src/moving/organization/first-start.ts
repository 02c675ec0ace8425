import type { Config } from "../../config/config";
import type { App, RealmRow } from "../../core/context";
import { httpsHosts } from "../../core/network/site";
import { isHost } from "../../management/organization/create";
import { listUsers } from "../../people/users/queries";
import { listRealms } from "../../realm/queries";

export type FirstRealm = Pick<RealmRow, "name" | "host">;

/** The realm of the first organization on a server without a public host name. */
export const firstRealm: FirstRealm = { name: "chatd", host: "localhost" };

/** The owner of the first organization. */
export const firstOwner = { email: "owner@example.com", name: "Owner", role: "owner" };

const ipAddress = /^(?:[\d.]+|\[.*\])$/;

/**
 * The realm of the first organization. It has the host of the public address, because the addresses
 * of bots and of system mail contain the host, which cannot be changed later. It has no IP address
 * as its host, because mail addresses do not end with one.
 */
function firstRealmOf(config: Pick<Config, "url" | "https">): FirstRealm {
  const [certified] = httpsHosts(config);
  const host = config.url === undefined ? certified : URL.parse(config.url)?.hostname;
  if (host === undefined || ipAddress.test(host) || !isHost(host)) return firstRealm;
  return { name: firstRealm.name, host };
}

/**
 * The realm that a first start makes, or the one without accounts that an interrupted first start
 * has left; undefined if this is no first start.
 */
export async function findFirstRealm({ config, engine }: App): Promise<FirstRealm | undefined> {
  const first = firstRealmOf(config);
  const [realm, ...others] = await listRealms(engine.reader);
  if (!realm) return first;
  // An earlier start may have been cut off with another address in the configuration.
  const { name, host } = realm;
  if (others.length > 0 || name !== first.name) return undefined;
  return (await listUsers(engine.reader, realm.id)).length === 0 ? { name, host } : undefined;
}
