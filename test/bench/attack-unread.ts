import { type Attack, ask, type Strike } from "./attack";
import { messagesChannel } from "./seeding";

/** Number of messages that the people who come back have not read. */
export const unreadMessages = 100_000;
/** Number of these people: the last ones of the organization. */
export const unreadPeople = 4;

const narrow = encodeURIComponent(
  JSON.stringify([{ operator: "channel", operand: messagesChannel }]),
);

/**
 * People who have not read much for long come back: they register, look for the first unread
 * message and mark some.
 */
export const longAway: Attack = async (scene) =>
  scene.others.slice(-unreadPeople).flatMap(({ authorization }): Strike[] => {
    const firstUnread = `/api/v1/messages?anchor=first_unread&num_before=50&num_after=50&narrow=${narrow}`;
    const mark = (op: string) => ({
      op,
      flag: "read",
      anchor: "first_unread",
      include_anchor: "true",
      num_before: "0",
      num_after: "100",
      narrow: decodeURIComponent(narrow),
    });
    return [
      () => ask(scene, "GET", firstUnread, authorization),
      () => ask(scene, "POST", "/api/v1/register", authorization, { apply_markdown: "true" }),
      () => ask(scene, "POST", "/api/v1/messages/flags/narrow", authorization, mark("add")),
    ];
  });
