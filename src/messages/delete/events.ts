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
const bulk = { message_ids: Type.Array(Type.Integer()) };
const oneMessage = { message_id: Type.Integer() };
/** At most `eventsPerEntryMax` messages; for clients each is an event of its own. */
const oneByOne = { one_by_one_ids: Type.Array(Type.Integer()) };

/**
 * Messages of one topic were deleted, for clients that accept several at once. The ids are
 * ascending.
 */
export const messagesDeleted = event("delete_message", undefined, { ...bulk, ...inChannel });

/** Messages of one topic were deleted, for all other clients, which hear of one at a time. */
export const messagesDeletedOneByOne = event(
  "delete_message",
  undefined,
  { ...oneByOne, ...inChannel },
  { ...oneMessage, ...inChannel },
);

/** Direct messages were deleted, in both forms. */
export const directMessagesDeleted = event("delete_message", undefined, { ...bulk, ...direct });
export const directMessagesDeletedOneByOne = event(
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
    for (const part of inChunks(ids, eventsPerEntryMax))
      await tx.emit(audience, messagesDeletedOneByOne({ one_by_one_ids: part, ...place }));
    return;
  }
  const place = { message_type: "private" as const };
  await tx.emit(audience, directMessagesDeleted({ message_ids: ids, ...place }));
  for (const part of inChunks(ids, eventsPerEntryMax))
    await tx.emit(audience, directMessagesDeletedOneByOne({ one_by_one_ids: part, ...place }));
}
