import type { Event } from "../model/wire";
import { post } from "../net/api";
import { messageOf } from "./feeds";
import { switches } from "./switches";

const isFlagged = (messageId: number): boolean =>
  messageOf(messageId)?.flags.includes("collapsed") ?? false;

const collapsed = switches({
  send: (key, isOn) =>
    post("/messages/flags", {
      messages: [Number(key)],
      op: isOn ? "add" : "remove",
      flag: "collapsed",
    }),
  isTold: (key) => isFlagged(Number(key)),
});

/** Whether the person has collapsed a message to one line. */
export const isCollapsed = (messageId: number): boolean =>
  collapsed.isOn(String(messageId), isFlagged(messageId));

/** Collapses or expands a message. */
export const toggleCollapsed = (messageId: number): void =>
  void collapsed.wish(String(messageId), !isCollapsed(messageId));

/** Applies events about collapsed messages. */
export function applyToCollapsing(events: readonly Event[]): void {
  for (const event of events)
    if (event.type === "update_message_flags" && event.flag === "collapsed")
      for (const id of event.messages) collapsed.told(String(id), event.op === "add");
}

/** To be called when the flags have been loaded again. */
export const renewCollapsing = (): void => collapsed.toldAll();
