import type { Event } from "../model/wire";
import { post } from "../net/api";
import { starred } from "./state";
import { switches } from "./switches";

const stars = switches({
  send: (key, isOn) =>
    post("/messages/flags", {
      messages: [Number(key)],
      op: isOn ? "add" : "remove",
      flag: "starred",
    }),
  isTold: (key) => starred.value.has(Number(key)),
});

/** Whether the person has starred a message. */
export const isStarred = (messageId: number): boolean =>
  stars.isOn(String(messageId), starred.value.has(messageId));

/** Stars a message, or takes the star off. */
export const toggleStar = (messageId: number): void =>
  void stars.wish(String(messageId), !isStarred(messageId));

/** Takes note of stars that the server tells of. */
export function applyToStars(events: readonly Event[]): void {
  for (const event of events)
    if (event.type === "update_message_flags" && event.flag === "starred")
      for (const id of event.messages) stars.told(String(id), event.op === "add");
}

/** Takes note that the stars are as the server has them now. */
export const renewStars = (): void => stars.toldAll();
