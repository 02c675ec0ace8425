import { asc, eq, sql } from "drizzle-orm";
import { type Reader, statement } from "../../db/reader";

export interface Domain {
  id: number;
  /** In lower case. */
  domain: string;
  allowSubdomains: boolean;
}

const selectAll = statement((db, { realmDomains }) =>
  db
    .select({ id: realmDomains.id, domain: realmDomains.domain, allowSubdomains: realmDomains.allowSubdomains })
    .from(realmDomains)
    .where(eq(realmDomains.realmId, sql.placeholder("realmId")))
    .orderBy(asc(realmDomains.id)),
);

/** The domains of a realm, in the order in which they were added. */
export async function listDomains(reader: Reader, realmId: number): Promise<Domain[]> {
  return selectAll(reader, { realmId });
}
