import { directKey, topicKey } from "../model/conversations";
import type { FlaggedMessage } from "../model/message";
import type { Narrow } from "../model/narrow";
import { kindOf } from "../model/narrow-kind";
import { me, unread } from "./state";

/** Messages of a feed that were unread when it was opened. */
export interface News {
  readonly firstId: number;
  readonly count: number;
}

/** Unread messages of a narrow: those that the page knows of, or else of those that are loaded. */
export function newsIn(narrow: Narrow, messages: readonly FlaggedMessage[]): News | undefined {
  const ids =
    unreadOf(narrow) ?? messages.filter(({ flags }) => !flags.includes("read")).map(({ id }) => id);
  const firstId = ids.reduce((least, id) => Math.min(least, id), Number.POSITIVE_INFINITY);
  return ids.length === 0 ? undefined : { firstId, count: ids.length };
}

function unreadOf(narrow: Narrow): readonly number[] | undefined {
  const { topics, direct } = unread.value;
  const kind = kindOf(narrow);
  switch (kind.kind) {
    case "all":
      return [...[...topics.values()].flatMap(({ ids }) => ids), ...[...direct.values()].flat()];
    case "topic":
      return topics.get(topicKey(kind.channelId, kind.topic))?.ids ?? [];
    case "direct":
      return direct.get(directKey(kind.userIds, me.value)) ?? [];
    case "channel":
      return [...topics.values()].flatMap(({ channelId, ids }) =>
        channelId === kind.channelId ? ids : [],
      );
    case "search":
      return undefined;
  }
}
