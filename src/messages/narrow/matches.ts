import type { Context, Person } from "../../core/context";
import { type Input, ids, json, record } from "../../core/params";
import { JsonMembers } from "../../core/raw-json";
import { highlightHtml, highlightText } from "../../search/highlight";
import type { SearchWords } from "../../search/query";
import { shownTopic } from "../../topics/empty-topic";
import { filterReadable, findMessages, type MessageRow, readerOf } from "../queries";
import { messagesPerRequestMax, tooMany } from "../read-range";
import { findPatiently, prepareIndex } from "./find";
import { parseNarrow } from "./narrow";
import { amongThese, narrowQuery } from "./sql";

export const MatchNarrow = record({ msgIds: ids(), narrow: json() });

const nothingSearched: SearchWords = { phrases: [], shown: [] };

/** The members of a message's JSON that show what was found in it: its content and its topic as HTML. */
export function matchMembers(
  { renderedContent, topic, channelId }: Pick<MessageRow, "renderedContent" | "topic" | "channelId">,
  searched: SearchWords = nothingSearched,
  knowsEmptyTopics = false,
): string {
  const subject = highlightText(channelId === null ? topic : shownTopic(topic, knowsEmptyTopics), searched);
  return `"match_content":${highlightHtml(renderedContent, searched)},"match_subject":${subject}`;
}

/**
 * Which of some messages are of a narrow, for a client that has just received them, with what was found in them. Messages
 * that the actor may not read are left out like missing ones. Refuses what is no narrow. Source:
 * `api/api-surface.json`, check-messages-match-narrow.
 */
export async function matchNarrow(
  ctx: Context<Person>,
  { msgIds, narrow }: Input<typeof MatchNarrow>,
): Promise<JsonMembers> {
  if (msgIds.length > messagesPerRequestMax) throw tooMany();
  const asked = [...new Set(msgIds)];
  const query = amongThese(await narrowQuery(ctx, parseNarrow(narrow)), asked);
  await prepareIndex(ctx, query);
  const found = await findPatiently(ctx, query, { side: "newest", anchor: 0, count: asked.length });
  // Finding may have taken long: who may read them, and what they say, is as of one moment at the end.
  const readable = await ctx.app.engine.snapshot(async (reader) =>
    filterReadable(reader, readerOf(ctx), await findMessages(reader, ctx.realm.id, found)),
  );
  const matches = readable.map((row) => `"${row.id}":{${matchMembers(row, query.searched)}}`);
  return new JsonMembers(`"messages":{${matches.join(",")}}`);
}
