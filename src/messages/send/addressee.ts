import { badRequest, refusedFor } from "../../core/errors";
import type { Input } from "../../core/params";
import { eitherForm, integer, integers, text, texts } from "../../core/params";
import { hasHidden, isBlank, withoutHidden } from "../../core/text/hidden-characters";
import { lengthsMax } from "../../protocol/limits";
import { emptyTopicDisplayName } from "../../protocol/topics";
import { truncate } from "../rendering/source";

/** `to` in every form that clients send: an id, a name or address, or a list of them. */
export const Addressee = eitherForm(integer(), integers(), texts(), text());

export type ChannelName = { id: number } | { name: string };

/** The channel that `to` names: exactly one. */
export function channelAddressed(to: Input<typeof Addressee> | undefined): ChannelName {
  const named = Array.isArray(to) ? to : to === undefined ? [] : [to];
  const [only] = named;
  if (named.length > 1) throw badRequest("A message goes to one channel: 'to' names several.");
  if (only === undefined || only === "")
    throw badRequest("Missing channel: 'to' must be a channel's ID or name.");
  return typeof only === "number" ? { id: only } : { name: only };
}

/**
 * Most people of a direct message, because their ids together are a key, which PostgreSQL limits to
 * 2,704 bytes.
 */
const peopleMax = 200;

/** Refuses (BAD_REQUEST) more people than a direct message may have. */
export function requirePeopleMax(people: readonly unknown[]): void {
  if (people.length > peopleMax)
    throw badRequest(`A direct message goes to at most ${peopleMax} people.`);
}

/**
 * The people that `to` names, by id or e-mail address: a list, a single one, or addresses joined by
 * commas.
 */
export function peopleAddressed(to: Input<typeof Addressee> | undefined): (number | string)[] {
  if (to === undefined) throw badRequest("Message must have recipients: 'to' is missing.");
  const named = typeof to === "string" ? to.split(",") : Array.isArray(to) ? to : [to];
  const people = named
    .map((one) => (typeof one === "string" ? one.trim() : one))
    .filter((one) => one !== "");
  if (people.length === 0) throw badRequest("Message must have recipients.");
  requirePeopleMax(people);
  return people;
}

const controlOrSurrogate = /[\p{Cc}\p{Cs}]/u;

/**
 * The stored form of a topic: trimmed, cut to the greatest length; names of the empty topic become
 * it.
 */
export function normalizeTopic(topic: string | undefined): string {
  if (topic === undefined) throw badRequest("Missing topic: send 'topic', empty if you want none.");
  const trimmed = topic.trim();
  if (controlOrSurrogate.test(trimmed))
    throw badRequest("Invalid character in topic: control characters are not allowed.");
  if (trimmed === "(no topic)" || trimmed === emptyTopicDisplayName) return "";
  return truncate(trimmed, lengthsMax.topic, "...");
}

/** Whether a topic's name has no invisible characters, so that a new topic may have it. */
export const isVisibleTopic = (topic: string): boolean =>
  topic === "" || !(hasHidden(topic) || isBlank(topic));

/**
 * The stored name of a new topic, without invisible characters (`withoutHidden`). Refuses
 * (BAD_REQUEST) one that is then empty.
 */
export function visibleTopic(topic: string): string {
  const visible = withoutHidden(topic);
  if (topic !== "" && isBlank(visible))
    throw refusedFor("topic-unseen", "A topic's name must have visible characters.");
  return normalizeTopic(visible);
}
