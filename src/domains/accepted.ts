import type { Reader } from "../../db/reader";
import type { RealmRow } from "../core/context";
import { badRequest } from "../core/errors";
import { parseRealmSettings } from "../realm/settings";
import { type Domain, listDomains } from "./queries";

/**
 * Refuses a person's new e-mail address whose domain the organization does not accept, and one with a plus sign: as many of
 * these as one likes lead to one mailbox (BAD_REQUEST). Everything is accepted where it is not restricted to its domains.
 */
export async function requireAcceptedDomain(reader: Reader, realm: RealmRow, email: string): Promise<void> {
  if (!parseRealmSettings(realm.settings).emails_restricted_to_domains) return;
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1).toLowerCase();
  const known = await listDomains(reader, realm.id);
  if (!known.some((one) => covers(one, domain))) {
    throw badRequest(`This organization accepts no addresses of ${domain}: an owner can add the domain.`);
  }
  if (email.slice(0, at).includes("+")) throw badRequest("This organization accepts no addresses with a plus sign.");
}

const covers = ({ domain, allowSubdomains }: Domain, wanted: string) =>
  wanted === domain || (allowSubdomains && wanted.endsWith(`.${domain}`));
