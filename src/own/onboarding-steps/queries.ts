import { and, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";

/** Names of the hints that clients of the protocol show each newcomer once. */
export const onboardingSteps: readonly string[] = [
  "visibility_policy_banner",
  "intro_inbox_view_modal",
  "intro_recent_view_modal",
  "first_stream_created_banner",
  "jump_to_conversation_banner",
  "non_interleaved_view_messages_fading",
  "interleaved_view_messages_fading",
  "intro_resolve_topic",
  "navigation_tour_video",
];

const selectSeen = statement(
  (db, { onboardingSteps: t }, given: Given<{ realmId: number; userId: number }>) =>
    db
      .select({ name: t.name })
      .from(t)
      .where(and(eq(t.realmId, given.realmId), eq(t.userId, given.userId))),
);

/** The hints that somebody has not seen yet. */
export async function listUnseenSteps(
  reader: Reader,
  realmId: number,
  userId: number,
): Promise<string[]> {
  const seen = new Set((await selectSeen(reader, { realmId, userId })).map(({ name }) => name));
  return onboardingSteps.filter((name) => !seen.has(name));
}
