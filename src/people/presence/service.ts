import { type Static, Type } from "@sinclair/typebox";
import type { Context, Person } from "../../core/context";
import { badRequest } from "../../core/errors";
import { JsonMembers, membersJson } from "../../core/json/raw-json";
import { flag, type Input, integer, optional, record, text, word } from "../../core/params";
import { loadVisibleUser } from "../users/viewer";
import { findCurrentPresences, isShared } from "./queries";
import { readPresences } from "./read";
import { recordPresence } from "./record";
import { hiddenForm, legacyPresence, presencesObject, singleForm, singlePresence } from "./wire";

export const ReportPresence = record({
  status: word("idle", "active"),
  pingOnly: optional(flag()),
  lastUpdateId: optional(integer()),
  historyLimitDays: optional(integer({ minimum: 0 })),
  newUserInput: optional(flag()),
  slimPresence: optional(flag()),
});

/** Updates of the presence of other people; only the update id for `ping_only`. */
export const OthersPresence = record({
  presence_last_update_id: Type.Integer(),
  server_timestamp: Type.Optional(Type.Integer()),
  presences: Type.Optional(presencesObject),
});

/**
 * Stores that the actor is present, and whether they use the client, unless they are invisible.
 * Answers the updates of people's presence since the client's update id, unless it only reports,
 * and the newest update id of these: the client's own, or −1, where there are none. Announces
 * `presence` to people who see the actor, where they were absent before. Source:
 * `docs/protocol/specification.md`, POST /users/me/presence.
 */
export async function reportPresence(
  ctx: Context<Person>,
  { status, pingOnly, lastUpdateId, historyLimitDays, slimPresence }: Input<typeof ReportPresence>,
): Promise<Static<typeof OthersPresence> | JsonMembers> {
  const { actor, now } = ctx;
  if (isShared(actor.user)) await recordPresence(ctx, status === "active");
  if (pingOnly === true) return { presence_last_update_id: lastUpdateId ?? -1 };
  const isModern = slimPresence === true || lastUpdateId !== undefined;
  const view = { after: lastUpdateId, historyLimitDays, isModern };
  const { presences, lastUpdateId: newest } = await readPresences(ctx, ctx.reader, view);
  return new JsonMembers(
    membersJson({ presence_last_update_id: newest, server_timestamp: now, presences }),
  );
}

export const GetRealmPresence = record({});
export const RealmPresence = record({
  server_timestamp: Type.Integer(),
  presences: Type.Record(Type.String(), legacyPresence, { description: "By e-mail addresses." }),
});

/**
 * The presence of the people whom the actor sees, in the older form. Source:
 * `docs/protocol/specification.md`, GET /realm/presence.
 */
export async function getRealmPresence(ctx: Context<Person>): Promise<JsonMembers> {
  const { presences } = await readPresences(ctx, ctx.reader, { isModern: false });
  return new JsonMembers(membersJson({ server_timestamp: ctx.now, presences }));
}

export const GetUserPresence = record({ userIdOrEmail: text() });
export const UserPresence = record({ presence: singlePresence });

/**
 * The presence of a person; for somebody invisible, the time when their account was made, whether
 * or not they were ever present. Refuses somebody whom the actor does not see like one who does not
 * exist; also bots, deactivated people, and people who were never present, or only while the clock
 * was ahead.
 */
export async function getUserPresence(
  ctx: Context<Person>,
  { userIdOrEmail }: Input<typeof GetUserPresence>,
): Promise<Static<typeof UserPresence>> {
  const person = await loadVisibleUser(ctx.reader, ctx, userIdOrEmail);
  if (person.botType !== null) throw badRequest("Bots have no presence: only people do.");
  if (person.isActive && !isShared(person)) return { presence: hiddenForm(person.createdAt) };
  const [seen] = await findCurrentPresences(ctx, [person.id]);
  if (!seen || !person.isActive) throw badRequest(`No presence data for ${person.fullName}.`);
  return { presence: singleForm(seen, ctx.now) };
}
