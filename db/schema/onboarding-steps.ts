import type { Columns } from "./columns";

/** Which of the hints for newcomers somebody has seen. */
export function onboardingStepTables({ table, integer, text, primaryKey }: Columns) {
  const onboardingSteps = table(
    "onboarding_steps",
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      name: text("name").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.userId, t.name)],
  );
  return { onboardingSteps };
}
