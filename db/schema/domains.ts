import type { Columns } from "./columns";

/** The domains whose e-mail addresses an organization accepts, if it is restricted to some. */
export function domainTables({
  table,
  identity,
  identityKey,
  integer,
  text,
  boolean,
  uniqueIndex,
}: Columns) {
  const realmDomains = table(
    "realm_domains",
    { of: "realm", exported: true },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      /** In lower case. */
      domain: text("domain").notNull(),
      allowSubdomains: boolean("allow_subdomains").notNull(),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      uniqueIndex("realm_domains_domain").on(t.realmId, t.domain),
    ],
  );
  return { realmDomains };
}
