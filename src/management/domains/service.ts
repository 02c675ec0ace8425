import { type Static, Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import type { Context, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { flag, type Input, record, text } from "../../core/params";
import { requireOwner } from "../../core/rights/permission";
import { onlyRow, write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { type Domain, listDomains } from "../../realm/domains/queries";
import { parseRealmSettings } from "../../realm/settings";
import { updateRealmSettingsIn } from "../organization/change-settings";
import { domainAdded, domainChanged, domainRemoved } from "./events";
import { domainObject, domainWire } from "./wire";

const domainLengthMax = 253;
const domainsMax = 1_000;
/** Labels of letters, digits and hyphens (RFC 1123), at least two of them. */
const domainForm =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export const ListDomains = record({});

export const DomainList = record({ domains: Type.Array(domainObject) });

/** The domains whose addresses the organization accepts, if it is restricted to some. */
export async function getDomains({ reader, realm }: Context): Promise<Static<typeof DomainList>> {
  return { domains: (await listDomains(reader, realm.id)).map(domainWire) };
}

export const AddDomain = record({ domain: text(), allowSubdomains: flag() });

/** Id and name of the domain. */
export const AddedDomain = record({ new_domain: Type.Tuple([Type.Integer(), Type.String()]) });

/**
 * Adds a domain, for owners; answers its id and its name. Announces `realm_domains` add to the
 * realm. Refuses an invalid domain, and one that exists (BAD_REQUEST).
 */
export async function addDomain(
  ctx: Context,
  { domain: given, allowSubdomains }: Input<typeof AddDomain>,
): Promise<Static<typeof AddedDomain>> {
  const domain = cleanDomain(given);
  return write(ctx, async (tx) => {
    const { id } = await addDomainIn(tx, ctx, { domain, allowSubdomains });
    return { new_domain: [id, domain] };
  });
}

/** Adds a domain from `cleanDomain`, as part of a write. */
export async function addDomainIn(
  tx: Tx,
  ctx: Context,
  { domain, allowSubdomains }: Omit<Domain, "id">,
): Promise<{ id: number }> {
  const { realm, actor } = await renewContext(tx, ctx);
  requireOwner(actor);
  const existing = await listDomains(tx, realm.id);
  if (existing.some((one) => one.domain === domain))
    throw badRequest(`The domain ${domain} already exists.`);
  if (existing.length >= domainsMax)
    throw badRequest(`An organization has at most ${domainsMax} domains.`);
  const rows = await tx.db
    .insert(tx.t.realmDomains)
    .values({ realmId: realm.id, domain, allowSubdomains })
    .returning();
  const added = onlyRow(rows);
  await tx.emit({ to: "realm" }, domainAdded({ realm_domain: domainWire(added) }));
  const after = { domain, allow_subdomains: allowSubdomains };
  tx.audit(ctx, { action: "domain.add", kind: "domain", after });
  return { id: added.id };
}

export const ChangeDomain = record({ domain: text(), allowSubdomains: flag() });

/**
 * Sets whether subdomains of a domain count, for owners. Announces `realm_domains` change. Refuses
 * a missing one.
 */
export async function changeDomain(
  ctx: Context,
  input: Input<typeof ChangeDomain>,
): Promise<undefined> {
  await write(ctx, (tx) => changeDomainIn(tx, ctx, input));
}

/** Changes a domain, as part of a write. */
export async function changeDomainIn(
  tx: Tx,
  ctx: Context,
  input: Input<typeof ChangeDomain>,
): Promise<void> {
  const { allowSubdomains } = input;
  const { realm, actor } = await renewContext(tx, ctx);
  requireOwner(actor);
  const found = await loadDomain(tx, realm.id, input.domain);
  const { realmDomains } = tx.t;
  await tx.db
    .update(realmDomains)
    .set({ allowSubdomains })
    .where(and(eq(realmDomains.realmId, realm.id), eq(realmDomains.id, found.id)));
  await tx.emit(
    { to: "realm" },
    domainChanged({ realm_domain: domainWire({ ...found, allowSubdomains }) }),
  );
  const factsOf = (isAllowed: boolean) => ({ domain: found.domain, allow_subdomains: isAllowed });
  tx.audit(ctx, {
    action: "domain.update",
    kind: "domain",
    before: factsOf(found.allowSubdomains),
    after: factsOf(allowSubdomains),
  });
}

export const RemoveDomain = record({ domain: text() });

/**
 * Removes a domain, for owners. Announces `realm_domains` remove. The removal of the last one lifts
 * the restriction, because otherwise nobody could join; that is announced as by PATCH /realm.
 * Refuses a missing one (BAD_REQUEST).
 */
export async function removeDomain(
  ctx: Context,
  input: Input<typeof RemoveDomain>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const { realm } = current;
    requireOwner(current.actor);
    const { id, domain } = await loadDomain(tx, realm.id, input.domain);
    const { realmDomains } = tx.t;
    await tx.db
      .delete(realmDomains)
      .where(and(eq(realmDomains.realmId, realm.id), eq(realmDomains.id, id)));
    await tx.emit({ to: "realm" }, domainRemoved({ domain }));
    const isLast = (await listDomains(tx, realm.id)).length === 0;
    if (isLast && parseRealmSettings(realm.settings).emails_restricted_to_domains)
      await updateRealmSettingsIn(tx, current, { emails_restricted_to_domains: false });
    tx.audit(current, { action: "domain.remove", kind: "domain", before: { domain } });
  });
}

async function loadDomain(tx: Tx, realmId: number, given: string): Promise<Domain> {
  const wanted = given.trim().toLowerCase();
  const found = (await listDomains(tx, realmId)).find(({ domain }) => domain === wanted);
  if (!found) throw badRequest(`There is no domain ${wanted.slice(0, domainLengthMax)}.`);
  return found;
}

/** A domain in lower case; refuses an invalid one (BAD_REQUEST). */
export function cleanDomain(given: string): string {
  const domain = given.trim().toLowerCase();
  if (domain.length <= domainLengthMax && domainForm.test(domain)) return domain;
  throw badRequest(
    `'${domain.slice(0, domainLengthMax)}' is no domain: send one like example.com.`,
  );
}
