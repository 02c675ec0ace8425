import type { Reader } from "../../db/reader";
import { type ChannelRow, findChannel } from "../channels/queries";
import type { Context, Person } from "../core/context";
import { invalidMessage } from "../core/errors";
import { loadReadableMessage, type MessageRow } from "./queries";

/** A message that is about to be changed, with its channel if it is in one. */
export interface ChangeableMessage {
  message: MessageRow;
  channel: ChannelRow | undefined;
}

/**
 * A message that the actor may read and that is not in an archived channel. Refuses a missing one,
 * one that the actor may not read and one of an archived channel alike. In a write, `ctx` is the
 * renewed one.
 */
export async function loadChangeableMessage(
  reader: Reader,
  ctx: Context<Person>,
  id: number,
): Promise<ChangeableMessage> {
  const message = await loadReadableMessage(reader, ctx, id);
  const { channelId } = message;
  const channel =
    channelId === null ? undefined : await findChannel(reader, ctx.realm.id, channelId);
  if (channel?.isArchived) throw invalidMessage();
  return { message, channel };
}
