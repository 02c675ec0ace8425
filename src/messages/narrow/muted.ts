import { type SQL, sql } from "drizzle-orm";
import { isIn } from "../../../db/sql/json";
import type { Context, Person } from "../../core/context";
import { topicPolicies } from "../../protocol/topics";
import { loadMuting, loadTopicMuting, type Muting } from "../../reading/unread/muting";
import type { NarrowTerm } from "./narrow";
import { negated, type Part, partWith, type Writing } from "./parts";
import type { NarrowQuery } from "./sql";

/** Whether the actor has one of some policies for a message's topic. */
export const wantsOfTopic = (
  { t: { messages, userTopics: topics }, given }: Writing,
  policies: SQL,
): SQL =>
  sql`exists (select 1 from ${topics} where ${topics.realmId} = ${given.realmId}
    and ${topics.userId} = ${given.userId} and ${topics.channelId} = ${messages.channelId}
    and ${topics.topicKey} = ${messages.topicKey} and ${topics.visibilityPolicy} in ${policies})`;

const heardPolicies = sql.raw(`(${topicPolicies.unmuted}, ${topicPolicies.followed})`);
const mutedPolicies = sql.raw(`(${topicPolicies.muted})`);

/**
 * Messages in topics that the actor has muted, or in channels that they have muted, except topics
 * that they have unmuted or follow.
 */
export const mutedPart = ({ channelIds }: Pick<Muting, "channelIds">): Part =>
  partWith("isMuted", { channels: JSON.stringify(channelIds) }, (writing, given) => {
    const inMutedChannel = isIn(writing.dialect, writing.t.messages.channelId, given.channels);
    return sql`(${wantsOfTopic(writing, mutedPolicies)}
      or (${inMutedChannel} and not ${wantsOfTopic(writing, heardPolicies)}))`;
  });

/** Terms that name muted messages, or a message by its id. */
const namesMuted = ({ operator, operand, negated: isNegated }: NarrowTerm) =>
  (operator === "id" && !isNegated) ||
  (operator === "is" && operand === "muted" && !isNegated) ||
  (operator === "in" && operand === "home" && isNegated);

/**
 * Query for the messages at which somebody begins to read, as Zulip's server finds its first unread
 * message: without muted ones. In a channel only muted topics are left out, because whoever opens a
 * muted channel wants to read it, and in a topic or a conversation nothing.
 */
export async function withoutMuted(
  { reader, realm, actor }: Context<Person>,
  query: NarrowQuery,
  terms: readonly NarrowTerm[],
): Promise<NarrowQuery> {
  const { kind } = query.place;
  if ((kind !== "everywhere" && kind !== "channel") || terms.some(namesMuted)) return query;
  const load = kind === "channel" ? loadTopicMuting : loadMuting;
  const muting = await load(reader, { realmId: realm.id, userId: actor.user.id });
  if (muting.channelIds.length + muting.mutedTopics.length === 0) return query;
  const parts = [...query.parts, negated(mutedPart(muting))];
  return { ...query, parts, muting, indexOnly: undefined };
}
