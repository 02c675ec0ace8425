import { and, eq, sql } from "drizzle-orm";
import { statements } from "../../../db/reader";
import type { Tx, UserRow } from "../../core/context";
import { onlyRow } from "../../core/write";

const changeable = [
  "fullName",
  "email",
  "emailKey",
  "role",
  "timezone",
  "passwordHash",
  "settings",
  "chosenSettings",
  "avatarSource",
  "avatarFile",
  "avatarVersion",
  "profileData",
] as const;

/** A statement for each set of columns. The log names the row, so that only it is read anew. */
const updates = statements<UserRow, UserRow[]>(16, { rowsOf: ({ id }) => [id] });

/** Stores some columns of one user, and answers the row afterwards. Announces nothing. */
export async function changeUserRow(
  tx: Tx,
  user: UserRow,
  values: Partial<Pick<UserRow, (typeof changeable)[number]>>,
): Promise<UserRow> {
  const names = changeable.filter((name) => values[name] !== undefined);
  const update = updates(names.join(), (db, { users }, given) =>
    db
      .update(users)
      .set(Object.fromEntries(names.map((name) => [name, sql`${given[name]}`])))
      .where(and(eq(users.realmId, given.realmId), eq(users.id, given.id)))
      .returning(),
  );
  return onlyRow(await update(tx, { ...user, ...values }));
}
