import { and, asc, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import { isIn, isRowOf } from "../../db/sql/json";
import { type Linkifier, type TopicLink, topicLinks } from "../markdown/linkifiers";
import { findUsersByIds } from "../people/users/queries";
import { listLinkifiers } from "../realm/linkifiers/queries";
import { editsOf, withoutHiddenPlaces } from "./edit-history";
import { distinct, type MessageRow, participantsOf } from "./queries";
import { submessagesOf } from "./widgets";
import type { FullMessage, WireReaction } from "./wire";

/**
 * Adds to message rows the other data of their protocol objects: people, channels, reactions,
 * submessages, links in topics and changes. A few queries for all of them.
 */
export async function completeMessages(
  reader: Reader,
  realmId: number,
  rows: MessageRow[],
): Promise<FullMessage[]> {
  const participants = await participantsOf(
    reader,
    realmId,
    distinct(rows.map(({ conversationId }) => conversationId)),
  );
  const userIds = distinct([
    ...rows.map(({ senderId }) => senderId),
    ...[...participants.values()].flat(),
  ]);
  const users = new Map(
    (await findUsersByIds(reader, realmId, userIds)).map((user) => [user.id, user]),
  );
  const names = await channelNames(
    reader,
    realmId,
    distinct(rows.map(({ channelId }) => channelId)),
  );
  const ids = rows.map(({ id }) => id);
  const reactions = await reactionsOf(reader, realmId, ids);
  const edits = await editsOf(reader, realmId, ids);
  for (const { id, channelId } of rows) {
    const ofThis = edits.get(id);
    if (ofThis) edits.set(id, await withoutHiddenPlaces(reader, realmId, channelId, ofThis));
  }
  const linksOf = makeTopicLinker(await listLinkifiers(reader, realmId));
  const submessages = await submessagesOf(reader, realmId, rows);
  return rows.flatMap((row) => {
    const sender = users.get(row.senderId);
    if (!sender) return [];
    const members = (participants.get(row.conversationId ?? 0) ?? []).flatMap(
      (id) => users.get(id) ?? [],
    );
    const channelName = row.channelId === null ? undefined : names.get(row.channelId);
    const found = {
      reactions: reactions.get(row.id) ?? [],
      submessages: submessages.get(row.id) ?? [],
      edits: edits.get(row.id) ?? [],
      topicLinks: row.channelId === null ? [] : linksOf(row.topic),
    };
    return [{ ...row, sender, channelName, participants: members, ...found }];
  });
}

/** The links in topics; each topic is searched once. */
function makeTopicLinker(linkifiers: readonly Linkifier[]): (topic: string) => TopicLink[] {
  const linksByTopic = new Map<string, TopicLink[]>();
  return (topic) => {
    const links = linksByTopic.get(topic) ?? topicLinks(topic, linkifiers);
    linksByTopic.set(topic, links);
    return links;
  };
}

const selectChannelNames = statement(
  (db, t, given: Given<{ realmId: number; ids: string }>, dialect) =>
    db
      .select({ id: t.channels.id, name: t.channels.name })
      .from(t.channels)
      .where(isRowOf(dialect, t.channels, given.realmId, given.ids)),
);

async function channelNames(
  reader: Reader,
  realmId: number,
  ids: number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await selectChannelNames(reader, { realmId, ids: JSON.stringify(ids) });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const selectReactions = statement(
  (db, t, given: Given<{ realmId: number; ids: string }>, dialect) =>
    db
      .select()
      .from(t.reactions)
      .where(
        and(
          eq(t.reactions.realmId, given.realmId),
          isIn(dialect, t.reactions.messageId, given.ids),
        ),
      )
      .orderBy(asc(t.reactions.id)),
);

async function reactionsOf(
  reader: Reader,
  realmId: number,
  ids: number[],
): Promise<Map<number, WireReaction[]>> {
  if (ids.length === 0) return new Map();
  const rows = await selectReactions(reader, { realmId, ids: JSON.stringify(ids) });
  const byMessage = Map.groupBy(rows, ({ messageId }) => messageId);
  return new Map(
    [...byMessage].map(([messageId, group]) => [
      messageId,
      group.map((row) => ({
        emoji_name: row.emojiName,
        emoji_code: row.emojiCode,
        reaction_type: row.reactionType,
        user_id: row.userId,
      })),
    ]),
  );
}
