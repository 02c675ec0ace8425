import { keyOfTyping } from "../model/typing";
import type { Event } from "../model/wire";
import { forgetTyping, me, mutedUsers, server, typing } from "./state";

/** Timers after which a typing person is forgotten, by conversation and person. */
const ends = new Map<string, ReturnType<typeof setTimeout>>();

/** Forgets typing people of whom nothing was heard for the server's interval. */
export function applyToTyping(events: readonly Event[]): void {
  for (const event of events) {
    if (event.type !== "typing") continue;
    const key = keyOfTyping(event, me.value);
    const { user_id: userId } = event.sender;
    const name = `${userId} ${key}`;
    clearTimeout(ends.get(name));
    ends.delete(name);
    if (event.op === "start")
      ends.set(
        name,
        setTimeout(() => forget(name, key, userId), period()),
      );
  }
}

const period = (): number => server.value.server_typing_started_expiry_period_milliseconds;

function forget(name: string, key: string, userId: number): void {
  ends.delete(name);
  forgetTyping(key, userId);
}

/** Ids of the people who are typing in a conversation, without muted ones. */
export const writersIn = (key: string): readonly number[] =>
  [...(typing.value.get(key) ?? [])].filter((id) => !mutedUsers.value.has(id) && id !== me.value);
