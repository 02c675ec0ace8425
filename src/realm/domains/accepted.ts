import type { Reader } from "../../../db/reader";
import type { RealmRow } from "../../core/context";
import { type ApiError, refusedFor } from "../../core/errors";
import { parseRealmSettings } from "../settings";
import { isDisposable } from "./disposable";
import { type Domain, listDomains } from "./queries";

/**
 * Refusal of an organization that does not accept a person's new address; undefined for one that it
 * accepts. If it is restricted to its domains, it refuses other domains, and addresses with a plus
 * sign, because any number of these lead to one mailbox. If not, it refuses disposable addresses,
 * if the setting says so.
 */
export async function addressRefusal(
  reader: Reader,
  realm: RealmRow,
  email: string,
): Promise<ApiError | undefined> {
  const {
    emails_restricted_to_domains: isRestricted,
    disallow_disposable_email_addresses: noDisposable,
  } = parseRealmSettings(realm.settings);
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1).toLowerCase();
  if (!isRestricted) {
    const isRefused = noDisposable && isDisposable(domain);
    return isRefused
      ? refusedFor("address-disposable", "This organization accepts no disposable addresses.")
      : undefined;
  }
  const domains = await listDomains(reader, realm.id);
  if (!domains.some((one) => covers(one, domain))) {
    const message = `This organization accepts no addresses of ${domain}: an owner can add the domain.`;
    return refusedFor("address-domain", message, domain);
  }
  return email.slice(0, at).includes("+")
    ? refusedFor("address-plus", "This organization accepts no addresses with a plus sign.")
    : undefined;
}

/** Refuses an address that the organization does not accept (BAD_REQUEST). */
export async function requireAcceptedDomain(
  reader: Reader,
  realm: RealmRow,
  email: string,
): Promise<void> {
  const refusal = await addressRefusal(reader, realm, email);
  if (refusal) throw refusal;
}

const covers = ({ domain, allowSubdomains }: Domain, wanted: string) =>
  wanted === domain || (allowSubdomains && wanted.endsWith(`.${domain}`));
