import type { Static } from "@sinclair/typebox";
import type { Reader } from "../../../db/reader";
import type { Context, Person, UserRow } from "../../core/context";
import { badRequest } from "../../core/errors";
import { flag, type Input, id, integer, optional, record, text } from "../../core/params";
import { isLonger } from "../../core/text/name";
import { write } from "../../core/write";
import { isZulipClient } from "../../core/zulip-client";
import { emojiTypeOf } from "../../emoji/emoji-types";
import { requireToCome } from "../../jobs/due";
import { lengthsMax } from "../../protocol/limits";
import { type Emoji, findEmoji, type NamedEmoji } from "../../realm/realm-emoji/find";
import { isShared } from "../presence/queries";
import { followVisibilityIn } from "../presence/visibility";
import { changeOwnSettingsIn } from "../settings/change";
import { requireMay } from "../user-groups/may";
import { noSuchUser } from "../users/queries";
import { renewContext } from "../users/renew-context";
import { findVisibleUser } from "../users/viewer";
import { findStatuses } from "./queries";
import { changeStatusIn, type StatusChange } from "./store";
import { statusObject, statusWire } from "./wire";

const statusFields = {
  statusText: optional(text()),
  emojiName: optional(text()),
  emojiCode: optional(text()),
  reactionType: optional(text()),
  scheduledEndTime: optional(integer()),
};

export const UpdateOwnStatus = record({ ...statusFields, away: optional(flag()) });
export const UpdateStatus = record({ userId: id(), ...statusFields });

/**
 * Changes the actor's status, until its `scheduled_end_time` where that is given; with `away`, as
 * in older clients, also whether they are invisible.
 * Announces `user_status` to people who see the actor, with `away` if it is given. If `away`
 * changes, announces `user_settings` update to the actor and `presence`, which is not stored.
 * Refuses as `prepareStatus` does.
 */
export async function updateOwnStatus(
  ctx: Context<Person>,
  { away, ...input }: Input<typeof UpdateOwnStatus>,
): Promise<undefined> {
  const change = await prepareStatus(ctx, ctx.actor.user, input, {
    isEnough: away !== undefined,
  });
  await write(ctx, async (tx) => {
    const renewed = await renewContext(tx, ctx);
    const { user } = renewed.actor;
    await changeStatusIn(tx, renewed, user, { ...change, isAway: away });
    if (away === undefined) return;
    const after = await changeOwnSettingsIn(tx, user, new Map([["presence_enabled", !away]]));
    await followVisibilityIn(tx, renewed, user, after);
  });
}

/**
 * Changes another person's status, for administrators, including bots (level 473). Announces
 * `user_status` to people who see that person. Refuses other actors (BAD_REQUEST,
 * `docs/protocol/specification.md`, POST /users/{user_id}/status), bots and deactivated people like
 * missing ones, and what `prepareStatus` refuses.
 */
export async function updateStatus(
  ctx: Context<Person>,
  { userId, ...input }: Input<typeof UpdateStatus>,
): Promise<undefined> {
  const refusal = () =>
    badRequest("Insufficient permission: only administrators change the status of others.");
  await requireMay(ctx.reader, ctx, refusal, { role: "administrator" });
  const whose = { realmId: ctx.realm.id, id: userId };
  const change = await prepareStatus(ctx, whose, input, { isEnough: false });
  await write(ctx, async (tx) => {
    const renewed = await renewContext(tx, ctx);
    await requireMay(tx, renewed, refusal, { role: "administrator" });
    const user = await loadPerson(tx, renewed, userId);
    await changeStatusIn(tx, renewed, user, change);
    const after = { status: "changed" };
    tx.audit(renewed, { action: "user.update", kind: "user", ids: [userId], after });
  });
}

export const GetStatus = record({ userId: id() });
export const UserStatus = record({ status: statusObject });

/**
 * The status of a person, and whether they are invisible; an empty object where there is neither.
 * Refuses bots, deactivated people and people whom the actor does not see like missing ones.
 */
export async function getStatus(
  ctx: Context<Person>,
  { userId }: Input<typeof GetStatus>,
): Promise<Static<typeof UserStatus>> {
  const { reader, realm, client } = ctx;
  const user = await loadPerson(reader, ctx, userId);
  const [status] = await findStatuses(reader, realm.id, [user.id]);
  return {
    status: statusWire(status, {
      isAway: !isShared(user),
      isOfficialClient: isZulipClient(client),
    }),
  };
}

async function loadPerson(reader: Reader, ctx: Context, userId: number): Promise<UserRow> {
  const user = await findVisibleUser(reader, ctx, userId);
  if (user?.botType !== null || !user.isActive) throw noSuchUser();
  return user;
}

/**
 * Checks the changes of a status. Refuses (BAD_REQUEST) a request without changes, unless that
 * `isEnough`; a text of more than 60 code points, a code or type without the emoji's name, an
 * unusable emoji that the person does not have already, and an end without a status or in the past.
 */
async function prepareStatus(
  { reader, now }: Pick<Context, "reader" | "now">,
  whose: Pick<UserRow, "realmId" | "id">,
  {
    statusText,
    emojiName: name,
    emojiCode: code,
    reactionType: type,
    scheduledEndTime: endsAt,
  }: Omit<Input<typeof UpdateStatus>, "userId">,
  { isEnough }: { isEnough: boolean },
): Promise<StatusChange> {
  if (name === undefined && (code !== undefined || type !== undefined))
    throw badRequest("Send emoji_name with emoji_code and reaction_type.");
  if (endsAt !== undefined) requireToCome("The end of a status", endsAt, now);
  if (statusText === undefined && name === undefined) {
    if (isEnough && endsAt === undefined) return {};
    throw badRequest("Send status_text or emoji_name: there are no new values.");
  }
  const trimmed = statusText?.trim();
  if (trimmed !== undefined && isLonger(trimmed, lengthsMax.status))
    throw badRequest(`A status has at most ${lengthsMax.status} characters.`);
  const emoji =
    name === ""
      ? "none"
      : name === undefined
        ? undefined
        : await chooseEmoji(reader, whose, { name, code, type });
  return {
    ...(trimmed === undefined ? {} : { statusText: trimmed }),
    ...(emoji === undefined ? {} : { emoji }),
    ...(endsAt === undefined ? {} : { endsAt }),
  };
}

/**
 * Clients send an unchanged emoji together with a new text: it stays, even if it can no longer be
 * chosen.
 */
async function chooseEmoji(
  reader: Reader,
  { realmId, id }: Pick<UserRow, "realmId" | "id">,
  named: NamedEmoji,
): Promise<Emoji> {
  const { name: emojiName, code: emojiCode, type } = named;
  if (emojiCode !== undefined && type !== undefined) {
    const emoji = { emojiName, emojiCode, reactionType: emojiTypeOf(type) };
    const [stored] = await findStatuses(reader, realmId, [id]);
    if (stored && Bun.deepMatch(emoji, stored)) return emoji;
  }
  return findEmoji(reader, realmId, named);
}
