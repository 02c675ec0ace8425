import type { FlaggedMessage } from "../model/message";
import { type PollOption, voteFor } from "../model/poll";
import { widgetOf } from "../model/widget";
import { membersIn, textOf } from "../model/widget-data";
import type { Event } from "../model/wire";
import { onEvents, onMissedEvents } from "../store/event-followers";
import { messageOf } from "../store/feeds";
import { me } from "../store/state";
import { switches } from "../store/switches";
import { ask } from "./act";

/** Identifies the person's vote for an option. */
const nameOf = (messageId: number, key: string): string => `${messageId} ${key}`;

/** The person's own votes. */
const votes = switches({
  send(name, isOn) {
    const { messageId, key } = partsOf(name);
    return ask(messageId, voteFor(key, isOn));
  },
  isTold(name) {
    const { messageId, key } = partsOf(name);
    const message = messageOf(messageId);
    const poll = message && widgetOf(message);
    if (poll?.kind !== "poll") return undefined;
    return poll.options.some((one) => one.key === key && one.voters.includes(me.peek()));
  },
});

function partsOf(name: string): { readonly messageId: number; readonly key: string } {
  const end = name.indexOf(" ");
  return { messageId: Number(name.slice(0, end)), key: name.slice(end + 1) };
}

/**
 * Ids of the voters of an option, including the person's changes that the server has not confirmed.
 */
export function votersOf({ id }: FlaggedMessage, { key, voters }: PollOption): readonly number[] {
  const isToldOn = voters.includes(me.value);
  const isOn = votes.isOn(nameOf(id, key), isToldOn);
  if (isOn === isToldOn) return voters;
  return isOn ? [...voters, me.value] : voters.filter((voter) => voter !== me.value);
}

/** Votes for an option, or withdraws the vote. */
export function toggleVote(message: FlaggedMessage, option: PollOption): void {
  const isOn = votersOf(message, option).includes(me.value);
  void votes.wish(nameOf(message.id, option.key), !isOn);
}

function applyToVotes(events: readonly Event[]): void {
  for (const event of events) {
    if (event.type !== "submessage" || event.sender_id !== me.peek()) continue;
    const { type, key, vote } = membersIn(event.content);
    if (type === "vote") votes.told(nameOf(event.message_id, textOf(key)), vote === 1);
  }
}

onEvents(applyToVotes);
onMissedEvents(() => votes.toldAll());
