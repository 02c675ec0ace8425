import type { App } from "../../core/context";
import { listUsers } from "../../people/users/queries";
import { listRealms } from "../../realm/queries";

/** The realm of the first organization. */
export const firstRealm = { name: "chatd", host: "localhost" };

/** The owner of the first organization. */
export const firstOwner = { email: "owner@example.com", name: "Owner", role: "owner" };

/**
 * Whether there is no organization, or only the first one without accounts, which an interrupted
 * start has left.
 */
export async function isFirstStart({ engine: { reader } }: App): Promise<boolean> {
  const [realm, ...others] = await listRealms(reader);
  if (!realm) return true;
  const { name, host } = firstRealm;
  if (others.length > 0 || realm.name !== name || realm.host !== host) return false;
  return (await listUsers(reader, realm.id)).length === 0;
}
