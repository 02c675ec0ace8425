import { withAll, withoutAll } from "./copies";
import { deletedBy } from "./unread";
import type { Event, Register } from "./wire";

/** Ids of the person's starred messages. */
export const starredFrom = ({ starred_messages }: Register): ReadonlySet<number> =>
  new Set(starred_messages);

export function applyStarred(starred: ReadonlySet<number>, event: Event): ReadonlySet<number> {
  switch (event.type) {
    case "message":
      return event.flags.includes("starred") ? withAll(starred, [event.message.id]) : starred;
    case "delete_message":
      return withoutAll(starred, deletedBy(event));
    case "update_message_flags":
      if (event.flag !== "starred") return starred;
      return event.op === "add"
        ? withAll(starred, event.messages)
        : withoutAll(starred, event.messages);
    default:
      return starred;
  }
}
