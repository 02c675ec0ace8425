import { type ChannelGroupSettingName, holdersOf } from "../../channels/group-settings";
import { requireMayBegin, requireMayPost, requireTopicFits } from "../../channels/topics/posting";
import type { Context, Person, Tx } from "../../core/context";
import { moveTimeLimitExceeded, refusedFor } from "../../core/errors";
import { holdsRole } from "../../core/rights/role";
import { type Grant, requireMay } from "../../people/user-groups/may";
import { parseRealmSettings } from "../../realm/settings";
import type { Move, MovedMessage } from "./plan";

/**
 * Refuses (BAD_REQUEST) an actor who may not make this change of the topic's and the channel's
 * messages, or may not send to the new place. No role is exempt. Source:
 * `docs/protocol/specification.md`, PATCH /messages/{message_id}, Permissions; B1.
 */
export async function requireMayMove(tx: Tx, ctx: Context<Person>, move: Move) {
  const { from, into, topic, renames, namesChannel, resolution } = move;
  const ofSource = (name: ChannelGroupSettingName): Grant => ({ holders: holdersOf(from, name) });
  const require = (what: string, ...grants: Grant[]) =>
    requireMay(
      tx,
      ctx,
      () => refusedFor("message-move", `You do not have permission to ${what}.`),
      ...grants,
    );
  if (resolution) {
    await require("resolve topics here", { realm: "can_resolve_topics_group" }, ofSource(
      "can_resolve_topics_group",
    ));
  } else if (renames) {
    const grant = ofSource("can_move_messages_within_channel_group");
    await require("move messages to another topic", {
      realm: "can_move_messages_between_topics_group",
    }, grant);
  }
  if (namesChannel) {
    const grant = ofSource("can_move_messages_out_of_channel_group");
    await require("move messages to another channel", {
      realm: "can_move_messages_between_channels_group",
    }, grant);
    await requireMayPost(tx, ctx, into, topic);
    return;
  }
  requireTopicFits(ctx, into, topic);
  if (!resolution) await requireMayBegin(tx, ctx, into, topic);
}

/** Tolerance in seconds for an action that was begun in time and arrives late. */
const graceSeconds = 20;

/** Time limit in seconds for such moves of the actor; undefined where there is none. */
function limitSeconds(
  { realm, actor }: Context<Person>,
  { renames, namesChannel, resolution }: Move,
) {
  if (holdsRole(actor, "moderator")) return undefined;
  const settings = parseRealmSettings(realm.settings);
  const limits = [
    renames && !resolution ? settings.move_messages_within_stream_limit_seconds : null,
    namesChannel ? settings.move_messages_between_streams_limit_seconds : null,
  ].filter((seconds) => seconds !== null);
  return limits.length === 0 ? undefined : Math.min(...limits);
}

/**
 * Refuses messages that are too old to be moved, unless the actor is an administrator or a
 * moderator. When a whole topic should move and some of it is not too old,
 * MOVE_MESSAGES_TIME_LIMIT_EXCEEDED lists these messages. Source: `docs/protocol/specification.md`,
 * Errors.
 */
export function requireInTime(ctx: Context<Person>, move: Move, moved: readonly MovedMessage[]) {
  const seconds = limitSeconds(ctx, move);
  if (seconds === undefined) return;
  const oldest = ctx.now - seconds - graceSeconds;
  const allowed = moved.filter(({ sentAt }) => sentAt >= oldest);
  if (allowed.length === moved.length) return;
  if (allowed.length > 0 && move.wanted.propagateMode === "change_all") {
    throw moveTimeLimitExceeded(
      allowed.map(({ id }) => id),
      moved.length,
    );
  }
  throw refusedFor(
    "message-move-late",
    "It is too late to move this message. Ask a moderator to move it.",
  );
}
