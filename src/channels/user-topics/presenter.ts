import type { Reader } from "../../../db/reader";
import type { Clock } from "../../core/clock";
import type { Presenter } from "../../core/event-hub";
import { membersJson } from "../../core/json/raw-json";
import { shownTopic } from "../topics/empty-topic";
import { listMutedTopics } from "./queries";

const policies: Presenter = {
  shape(changed, { emptyTopicName }) {
    if (changed["topic_name"] !== "" || emptyTopicName) return { variant: "", event: changed };
    return { variant: "named topic", event: { ...changed, topic_name: shownTopic("", false) } };
  },
};

/**
 * Writes `muted_topics` events. The log does not store the topics, because somebody who mutes many
 * would fill it. A client gets the present list, once for all changes that it has not received.
 */
const makeLegacyPresenter = (reader: Reader, clock: Clock): Presenter => ({
  accepts: (_, { eventTypes }) => eventTypes !== null && !eventTypes.includes("user_topic"),
  async late(entries, { userId, options }) {
    const last = entries.at(-1);
    if (!last) return { texts: new Map() };
    const view = { now: clock.now(), emptyTopicName: options.emptyTopicName };
    const muted_topics = await listMutedTopics(reader, last.realmId, userId, view);
    return { texts: new Map([[last.id, membersJson({ type: last.event.type, muted_topics })]]) };
  },
});

/**
 * Form of these events for a client that does not know the empty topic; a client that asks for both
 * types gets only the newer one.
 */
export const makeUserTopicPresenters = (
  reader: Reader,
  clock: Clock,
): ReadonlyMap<string, Presenter> =>
  new Map([
    ["user_topic", policies],
    ["muted_topics", makeLegacyPresenter(reader, clock)],
  ]);
