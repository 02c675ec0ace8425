import { shownTopic } from "../channels/topics/empty-topic";
import type { LoggedEvent } from "../core/context";
import type { Presenter } from "../core/event-hub";
import { plainMembers } from "../core/json/raw-json";
import { isRecord } from "../core/json/record";

/** With a name instead of an empty topic. */
const named = <Place extends Record<string, unknown>>(place: Place): Place =>
  place["topic"] === "" ? { ...place, topic: shownTopic("", false) } : place;

const deletions: Presenter = {
  accepts: (deletion, { bulkMessageDeletion }) => "message_ids" in deletion === bulkMessageDeletion,
  several({ type, one_by_one_ids: ids, ...place }, { emptyTopicName }) {
    if (!Array.isArray(ids)) return undefined;
    const rest = plainMembers(emptyTopicName ? place : named(place));
    return ids.map((id) => `"type":"${type}","message_id":${id},${rest}`);
  },
  shape(deletion, { emptyTopicName }) {
    if (deletion["topic"] !== "" || emptyTopicName) return { variant: "", event: deletion };
    return { variant: "named topic", event: named(deletion) };
  },
};

const flags: Presenter = {
  shape(change, { emptyTopicName }) {
    if (emptyTopicName || !isRecord(change["message_details"]))
      return { variant: "", event: change };
    return { variant: "named topic", event: nameDetails(change) };
  },
};

function nameDetails(change: LoggedEvent): LoggedEvent {
  const details = Object.entries(
    isRecord(change["message_details"]) ? change["message_details"] : {},
  );
  const shown = details.map(([id, place]) => [id, isRecord(place) ? named(place) : place]);
  return { ...change, message_details: Object.fromEntries(shown) };
}

/**
 * Forms of message events for each client: deletions in one of two forms, and a name for the empty
 * topic where a client does not know it.
 */
export const messageEventForms: ReadonlyMap<string, Presenter> = new Map([
  ["delete_message", deletions],
  ["update_message_flags", flags],
]);
