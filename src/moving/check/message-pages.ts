import { and, asc, eq, gt, lte } from "drizzle-orm";
import type { Reader } from "../../../db/reader";

const idsPerPage = 2_000;

/** The ids of a realm's messages up to a given one, in pages. */
export async function* messagePages(
  reader: Reader,
  realmId: number,
  upTo: number,
): AsyncGenerator<number[]> {
  const { messages: m } = reader.t;
  for (let after = 0; ; ) {
    const rows = await reader.db
      .select({ id: m.id })
      .from(m)
      .where(and(eq(m.realmId, realmId), gt(m.id, after), lte(m.id, upTo)))
      .orderBy(asc(m.id))
      .limit(idsPerPage);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(({ id }) => id);
    after = last.id;
  }
}
