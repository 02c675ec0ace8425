import { put, withoutKeys } from "./copies";
import { deactivatedBy } from "./users";
import type { Event, EventOf, Register, Status } from "./wire";

/** The statuses of people, by user id. People without a status have no entry. */
export type Statuses = ReadonlyMap<number, Status>;

export const statusesFrom = ({ user_status }: Register): Statuses =>
  new Map(Object.entries(user_status).map(([id, status]) => [Number(id), status]));

/** The statuses of deactivated people, and of people who can no longer be seen, are removed. */
export function applyStatuses(statuses: Statuses, event: Event): Statuses {
  if (event.type === "realm_user") {
    const gone = event.op === "remove" ? event.person.user_id : deactivatedBy(event);
    return gone === undefined ? statuses : withoutKeys(statuses, [gone]);
  }
  if (event.type !== "user_status") return statuses;
  const status = changed(statuses.get(event.user_id) ?? {}, event);
  return Object.keys(status).length === 0
    ? withoutKeys(statuses, [event.user_id])
    : put(statuses, event.user_id, status);
}

/**
 * A status after an event. An empty text or emoji removes it. The end time is that of the newest
 * text or emoji.
 */
function changed(before: Status, event: EventOf<"user_status">): Status {
  const { id: _, type: _type, user_id: _user, ...changes } = event;
  const isNew = changes.status_text !== undefined || changes.emoji_name !== undefined;
  const start = isNew ? { ...before, scheduled_end_time: 0 } : before;
  const { status_text, emoji_name, away, scheduled_end_time, ...emoji } = { ...start, ...changes };
  return {
    ...(away ? { away } : {}),
    ...(status_text ? { status_text } : {}),
    ...(emoji_name ? { emoji_name, ...emoji } : {}),
    ...(scheduled_end_time ? { scheduled_end_time } : {}),
  };
}
