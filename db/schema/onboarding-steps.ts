import type { Columns } from "./columns";
import { person } from "./traits";

/** Hints for newcomers that somebody has seen. */
export function onboardingStepTables({ table, integer, text, primaryKey }: Columns) {
  const onboardingSteps = table(
    "onboarding_steps",
    { of: "person", exported: true, holds: { userId: person }, onPersonDeleted: "remove" },
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      name: text("name").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.userId, t.name)],
  );
  return { onboardingSteps };
}
