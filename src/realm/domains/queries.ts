import { asc, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";

export interface Domain {
  id: number;
  /** In lower case. */
  domain: string;
  allowSubdomains: boolean;
}

const selectAll = statement((db, { realmDomains }, given: Given<{ realmId: number }>) =>
  db
    .select({
      id: realmDomains.id,
      domain: realmDomains.domain,
      allowSubdomains: realmDomains.allowSubdomains,
    })
    .from(realmDomains)
    .where(eq(realmDomains.realmId, given.realmId))
    .orderBy(asc(realmDomains.id)),
);

/** The domains of a realm, oldest first. */
export async function listDomains(reader: Reader, realmId: number): Promise<Domain[]> {
  return selectAll(reader, { realmId });
}
