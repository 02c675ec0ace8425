import { Type } from "@sinclair/typebox";
import type { Audience } from "../../core/audience";
import { inChunks } from "../../core/chunks";
import type { Tx } from "../../core/context";
import { eventsPerEntryMax } from "../../core/event-hub";
import { event } from "../../events/define";

const inChannel = {
  message_type: Type.Literal("stream"),
  stream_id: Type.Integer(),
  topic: Type.String(),
};
const direct = { message_type: Type.Literal("private") };
const several = { message_ids: Type.Array(Type.Integer()) };
const oneMessage = { message_id: Type.Integer() };
/** Messages of which each is an event of its own for clients; at most `eventsPerEntryMax`. */
const oneByOne = { each: Type.Array(Type.Integer()) };

/**
 * Messages of one topic were deleted, for clients that accept several at once. The ids are
 * ascending.
 */
export const messagesDeleted = event("delete_message", undefined, { ...several, ...inChannel });

/** Messages of a topic were deleted, for all other clients, which hear of one at a time. */
export const messageDeleted = event(
  "delete_message",
  undefined,
  { ...oneByOne, ...inChannel },
  { ...oneMessage, ...inChannel },
);

/** Direct messages were deleted, in both forms. */
export const directMessagesDeleted = event("delete_message", undefined, { ...several, ...direct });
export const directMessageDeleted = event(
  "delete_message",
  undefined,
  { ...oneByOne, ...direct },
  { ...oneMessage, ...direct },
);

/**
 * Announces that messages are deleted, or gone for an audience, in the forms for all clients. The
 * ids are ascending; `topic` is undefined for direct messages.
 */
export async function announceGoneIn(
  tx: Tx,
  audience: Audience,
  ids: number[],
  topic: { stream_id: number; topic: string } | undefined,
) {
  if (topic) {
    const place = { message_type: "stream" as const, ...topic };
    await tx.emit(audience, messagesDeleted({ message_ids: ids, ...place }));
    for (const each of inChunks(ids, eventsPerEntryMax))
      await tx.emit(audience, messageDeleted({ each, ...place }));
    return;
  }
  const place = { message_type: "private" as const };
  await tx.emit(audience, directMessagesDeleted({ message_ids: ids, ...place }));
  for (const each of inChunks(ids, eventsPerEntryMax))
    await tx.emit(audience, directMessageDeleted({ each, ...place }));
}
