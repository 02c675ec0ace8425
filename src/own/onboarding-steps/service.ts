import type { Context, Person } from "../../core/context";
import { badRequest } from "../../core/errors";
import { type Input, record, text } from "../../core/params";
import { write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { onboardingStepsChanged } from "./events";
import { listUnseenSteps, onboardingSteps } from "./queries";
import { onboardingStepWire } from "./wire";

export const MarkOnboardingStep = record({ onboardingStep: text() });

/**
 * Marks a hint for newcomers as seen by the actor. Announces `onboarding_steps`, the unseen ones,
 * to the actor's clients; nothing when it was seen before. Refuses a hint that does not exist
 * (BAD_REQUEST).
 */
export async function markOnboardingStep(
  ctx: Context<Person>,
  { onboardingStep: name }: Input<typeof MarkOnboardingStep>,
): Promise<undefined> {
  if (!onboardingSteps.includes(name))
    throw badRequest(`There is no onboarding step '${name.slice(0, 100)}'.`);
  const [realmId, userId] = [ctx.realm.id, ctx.actor.user.id];
  await write(ctx, async (tx) => {
    await renewContext(tx, ctx);
    const rows = await tx.db
      .insert(tx.t.onboardingSteps)
      .values({ realmId, userId, name })
      .onConflictDoNothing()
      .returning();
    if (rows.length === 0) return;
    const onboarding_steps = (await listUnseenSteps(tx, realmId, userId)).map(onboardingStepWire);
    await tx.emit({ to: "users", ids: [userId] }, onboardingStepsChanged({ onboarding_steps }));
  });
}
