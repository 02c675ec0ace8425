import { conversationKey, directKey, topicKey } from "../model/conversations";
import type { Message } from "../model/wire";
import type { Narrow } from "./narrow";

/** A narrow as the key of a map. Two narrows with equal messages have one key. */
export function narrowKey(narrow: Narrow, me: number): string {
  switch (narrow.kind) {
    case "all":
      return "all";
    case "channel":
      return `channel ${narrow.channelId}`;
    case "topic":
      return `topic ${topicKey(narrow.channelId, narrow.topic)}`;
    case "direct":
      return `direct ${directKey(narrow.userIds, me)}`;
  }
}

/** Whether a message is one of a narrow. */
export function belongs(narrow: Narrow, message: Message, me: number): boolean {
  switch (narrow.kind) {
    case "all":
      return true;
    case "channel":
      return message.stream_id === narrow.channelId;
    case "topic":
      return (
        message.stream_id !== undefined &&
        conversationKey(message, me) === topicKey(narrow.channelId, narrow.topic)
      );
    case "direct":
      return (
        message.stream_id === undefined &&
        conversationKey(message, me) === directKey(narrow.userIds, me)
      );
  }
}
