import { and, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import type { AudienceMember } from "../core/audience";
import type { LogEntry } from "../core/context";
import { periodsChangedType } from "../core/event-hub";
import { selectPeriods } from "../core/reading-right/stored";
import { parseStoredSettings } from "../core/rights/group-setting";

/** Facts about a connected user that decide which events the user gets. */
export interface QueueOwner extends AudienceMember {
  /**
   * The newest entry of the log when the facts were read. For events before it, the facts at the
   * time of the event are read.
   */
  loadedAt: number;
  /** The newest entry that changed the user's message flags. */
  flagsChangedAt: number;
}

const selectRole = statement((db, t, given: Given<{ realmId: number; userId: number }>) =>
  db
    .select({ role: t.users.role, isActive: t.users.isActive, settings: t.users.settings })
    .from(t.users)
    .where(and(eq(t.users.realmId, given.realmId), eq(t.users.id, given.userId))),
);

/** Reads the facts about a user as of now; undefined for a deactivated user. */
export async function loadQueueOwner(
  reader: Reader,
  realmId: number,
  userId: number,
  logHead: number,
): Promise<QueueOwner | undefined> {
  const [user] = await selectRole(reader, { realmId, userId });
  if (!user?.isActive) return undefined;
  const rows = await selectPeriods(reader, { realmId, userId });
  const periods = Map.groupBy(rows, ({ channelId }) => channelId);
  const receivesTyping = wantsTyping(user.settings);
  return {
    userId,
    role: user.role,
    periods,
    receivesTyping,
    loadedAt: logHead,
    flagsChangedAt: logHead,
  };
}

/**
 * Whether a user wants typing notifications. Settings are stored only where they differ from their
 * default, and by default people get these notifications.
 */
function wantsTyping(settings: string): boolean {
  const name = "receives_typing_notifications";
  return !settings.includes(name) || parseStoredSettings(settings)[name] !== false;
}

const idsIn = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((id) => typeof id === "number") : [];

/** The users whose cached facts an entry changes. */
export function usersChangedBy({ audience, event }: LogEntry): number[] {
  if (event.type === "subscription" && (event.op === "add" || event.op === "remove")) {
    return audience.to === "users" ? audience.ids : [];
  }
  if (event.type === periodsChangedType) return idsIn(event["userIds"]);
  if (event.type === "user_settings") return audience.to === "users" ? audience.ids : [];
  if (event.type !== "realm_user") return [];
  // People who may now see a person, or no longer. From then on they get that person's messages in
  // another form.
  const viewers = audience.to === "users" ? audience.ids : [];
  const person = event["person"];
  const isPerson = typeof person === "object" && person !== null && "user_id" in person;
  return isPerson && typeof person.user_id === "number" ? [...viewers, person.user_id] : viewers;
}

/** The users whose message flags an entry changes. */
export function usersFlaggedBy({ audience, event }: LogEntry): number[] {
  return event.type === "update_message_flags" && audience.to === "users" ? audience.ids : [];
}
