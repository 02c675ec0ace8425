import { type Static, Type } from "@sinclair/typebox";
import type { Context, Person, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { flag, type Input, id, optional, record, text, word } from "../../core/params";
import { write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { loadChangeableMessage } from "../../reading/changeable";
import { attachmentObject } from "../../uploads/wire";
import {
  announceEditIn,
  changeContentIn,
  type NewContent,
  prepareContent,
  requireSameContent,
} from "../content/change";
import { moveIn, type PreparedMove, prepareMove, type WantedMove } from "../move/move";
import { directMessageStays } from "../move/plan";

export const EditMessage = record({
  messageId: id(),
  topic: optional(text()),
  propagateMode: optional(word("change_one", "change_later", "change_all")),
  sendNotificationToOldThread: optional(flag()),
  sendNotificationToNewThread: optional(flag()),
  content: optional(text()),
  prevContentSha256: optional(text()),
  streamId: optional(id()),
});

export const EditedMessage = record({
  detached_uploads: Type.Array(attachmentObject, {
    description: "Your files that no message links to any more.",
  }),
});

/**
 * Changes a message's content, or moves it to another topic or channel, or changes content and
 * topic at once. Announces the events of `announceEditIn` and `moveIn`; refuses changes that they
 * and `changeContentIn` refuse, and invalid combinations. Answers the actor's own files that no
 * message links to any more. Source: `docs/protocol/specification.md`, PATCH
 * /messages/{message_id}; recorded behaviour of the reference server.
 */
export async function editMessage(
  ctx: Context<Person>,
  input: Input<typeof EditMessage>,
): Promise<Static<typeof EditedMessage>> {
  const { content } = input;
  const wanted = wantedMove(input);
  if (content === undefined && wanted === undefined) {
    throw badRequest("Nothing to change: send content, topic or stream_id.");
  }
  if (content !== undefined && input.streamId !== undefined) {
    throw badRequest("Change the content and the channel of a message in two requests.");
  }
  if (!wanted && input.propagateMode !== undefined && input.propagateMode !== "change_one") {
    throw badRequest("propagate_mode is only for a new topic or channel.");
  }
  const edit = content === undefined ? undefined : await prepareContent(ctx, content);
  const move = wanted && (await prepareMove(ctx, wanted));
  return write(ctx, (tx) => editPrepared(tx, ctx, { ...input, edit, move }));
}

function wantedMove(input: Input<typeof EditMessage>): WantedMove | undefined {
  const { topic, streamId: channelId, propagateMode = "change_one" } = input;
  if (topic === undefined && channelId === undefined) return undefined;
  const {
    sendNotificationToOldThread: notifyOld = false,
    sendNotificationToNewThread: notifyNew = true,
  } = input;
  return { topic, channelId, propagateMode, notifyOld, notifyNew };
}

interface PreparedEdit extends Pick<Input<typeof EditMessage>, "messageId" | "prevContentSha256"> {
  edit: NewContent | undefined;
  move: PreparedMove | undefined;
}

async function editPrepared(tx: Tx, ctx: Context<Person>, prepared: PreparedEdit) {
  const { messageId, prevContentSha256, edit, move } = prepared;
  const renewed = await renewContext(tx, ctx);
  const changeable = await loadChangeableMessage(tx, renewed, messageId);
  requireSameContent(changeable, prevContentSha256);
  if (move && changeable.channel === undefined) throw directMessageStays();
  const topic = move?.topic ?? changeable.message.topic;
  const changed = edit && (await changeContentIn(tx, renewed, changeable, { ...edit, topic }));
  if (move) await moveIn(tx, renewed, changeable, move, changed);
  else if (changed) await announceEditIn(tx, renewed, changeable, changed);
  return { detached_uploads: changed?.detached ?? [] };
}
