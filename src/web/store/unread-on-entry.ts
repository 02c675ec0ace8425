import { topicPolicies } from "../../protocol/topics";
import { directKey, topicKey } from "../model/conversations";
import type { Narrow } from "../model/narrow";
import { kindOf } from "../model/narrow-kind";
import { isMuted } from "../model/unread";
import { policyOf } from "../model/user-topics";
import { channels, me, unread, userTopics } from "./state";

/** The messages of a feed that were unread when it was opened. */
export interface News {
  readonly firstId: number;
  readonly count: number;
}

/**
 * The unread messages of a narrow; undefined if there are none, and for a search, because it is not
 * a conversation that one continues to read. Muted messages are left out, as for the server's first
 * unread message, except in a conversation, and in a channel if they are muted only with it.
 */
export function newsIn(narrow: Narrow): News | undefined {
  const ids = unreadOf(narrow);
  const firstId = ids.reduce((least, id) => Math.min(least, id), Number.POSITIVE_INFINITY);
  return ids.length === 0 ? undefined : { firstId, count: ids.length };
}

function unreadOf(narrow: Narrow): readonly number[] {
  const { topics, direct } = unread.peek();
  const muting = { channels: channels.peek(), userTopics: userTopics.peek() };
  const kind = kindOf(narrow);
  switch (kind.kind) {
    case "all":
      return [
        ...[...topics.values()].flatMap(({ channelId, topic, ids }) =>
          isMuted(muting, channelId, topic) ? [] : ids,
        ),
        ...[...direct.values()].flat(),
      ];
    case "topic":
      return topics.get(topicKey(kind.channelId, kind.topic))?.ids ?? [];
    case "direct":
      return direct.get(directKey(kind.userIds, me.peek())) ?? [];
    case "channel":
      return [...topics.values()].flatMap(({ channelId, topic, ids }) =>
        channelId === kind.channelId &&
        policyOf(muting.userTopics, channelId, topic) !== topicPolicies.muted
          ? ids
          : [],
      );
    case "search":
      return [];
  }
}
