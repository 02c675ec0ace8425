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

/** Stars or unstars a message. */
export const toggleStar = (messageId: number): void =>
  void stars.wish(String(messageId), !isStarred(messageId));

/** Applies events about stars. */
export function applyToStars(events: readonly Event[]): void {
  for (const event of events)
    if (event.type === "update_message_flags" && event.flag === "starred")
      for (const id of event.messages) stars.told(String(id), event.op === "add");
}

/** To be called when the stars have been loaded again. */
export const renewStars = (): void => stars.toldAll();
