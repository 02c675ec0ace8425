import { type Static, Type } from "@sinclair/typebox";
import type { Schema } from "../../../db/schema";
import { word } from "../../core/params";

export type ScheduledMessageRow = Schema["scheduledMessages"]["$inferSelect"];

/** A scheduled message as the protocol shows it. */
export const scheduledMessageObject = Type.Object(
  {
    scheduled_message_id: Type.Integer(),
    type: word("stream", "private"),
    to: Type.Union([Type.Integer(), Type.Array(Type.Integer())], {
      description: "The id of the channel, or the ids of the people.",
    }),
    topic: Type.Optional(Type.String({ description: "Only of a message to a channel." })),
    content: Type.String(),
    rendered_content: Type.String(),
    scheduled_delivery_timestamp: Type.Integer({ description: "UNIX seconds." }),
    failed: Type.Boolean({ description: "Whether sending it has failed." }),
  },
  { title: "ScheduledMessage" },
);

export type WireScheduledMessage = Static<typeof scheduledMessageObject>;

/** The recipients of a scheduled direct message. */
export const peopleOf = ({ userIds }: Pick<ScheduledMessageRow, "userIds">): number[] =>
  JSON.parse(userIds ?? "[]");

export function scheduledMessageWire(row: ScheduledMessageRow): WireScheduledMessage {
  const { id, channelId, topic, content, renderedContent, deliverAt, hasFailed } = row;
  return {
    scheduled_message_id: id,
    ...(channelId === null
      ? { type: "private", to: peopleOf(row) }
      : { type: "stream", to: channelId, topic }),
    content,
    rendered_content: renderedContent,
    scheduled_delivery_timestamp: deliverAt,
    failed: hasFailed,
  };
}
