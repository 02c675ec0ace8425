import { write } from "../../src/core/write";
import type { World } from "./world";

/**
 * Adds members to the organization without a sign-in, in one write; answers their ids, ascending.
 */
export async function addManyPeople({ operator, realm }: World, count: number): Promise<number[]> {
  const people = Array.from({ length: count }, (_, i) => ({
    realmId: realm.id,
    email: `user${i}@example.com`,
    emailKey: `user${i}@example.com`,
    fullName: `User ${i}`,
    role: 400,
    createdAt: 1,
  }));
  const rows = await write(operator, async ({ db, t }) =>
    db.insert(t.users).values(people).returning({ id: t.users.id }),
  );
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}
