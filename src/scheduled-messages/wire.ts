import type { Schema } from "../../db/schema";

export type ScheduledMessageRow = Schema["scheduledMessages"]["$inferSelect"];

/** A message that is to be sent later, as the protocol shows it. */
export interface WireScheduledMessage {
  scheduled_message_id: number;
  type: "stream" | "private";
  to: number | number[];
  /** Of what goes to a channel. */
  topic?: string;
  content: string;
  rendered_content: string;
  /** UNIX seconds. */
  scheduled_delivery_timestamp: number;
  failed: boolean;
}

/** The people whom a direct message is to go to. */
export const peopleOf = ({ userIds }: Pick<ScheduledMessageRow, "userIds">): number[] => JSON.parse(userIds ?? "[]");

export function scheduledMessageWire(row: ScheduledMessageRow): WireScheduledMessage {
  const { id, channelId, topic, content, renderedContent, deliverAt, hasFailed } = row;
  return {
    scheduled_message_id: id,
    ...(channelId === null ? { type: "private", to: peopleOf(row) } : { type: "stream", to: channelId, topic }),
    ...{ content, rendered_content: renderedContent },
    ...{ scheduled_delivery_timestamp: deliverAt, failed: hasFailed },
  };
}
