import { Type } from "@sinclair/typebox";
import { shownTopic } from "../../channels/topics/empty-topic";
import type { Context, Person } from "../../core/context";
import type { Connection } from "../../core/endpoint";
import { tooLong } from "../../core/errors";
import { commaBetween, JsonPieces } from "../../core/json/raw-json";
import { type Input, ids, record } from "../../core/params";
import { beginLongWork, makePace } from "../../core/turns/turn";
import { filterReadable, type MessageRow, readerOf } from "../../reading/queries";
import type { MessageSize } from "../../reading/sizes";
import { readFirstMessages } from "../../reading/texts";
import { matchObject } from "../../reading/wire";
import { highlightInTurns, highlightText } from "../search/highlight";
import type { SearchWords } from "../search/query";
import { htmlPerTurn } from "../search/words";
import { prepareIndex } from "./find";
import { findPatiently } from "./find-read";
import { narrow } from "./narrow";
import { messagesPerRequestMax, tooMany } from "./read-range";
import { amongThese, narrowQuery } from "./sql";

export const MatchNarrow = record({ msgIds: ids(), narrow: narrow() });

/** By message id. */
export const Matches = record({ messages: Type.Record(Type.String(), matchObject) });

/** The bytes of a match without the message's HTML. */
const matchBytes = 400;

const nothingSearched: SearchWords = { phrases: [], shown: [], language: "", stems: new Map() };

/**
 * The members of a message's JSON with the highlighted matches: its content and its topic as HTML.
 */
export async function matchMembers(
  {
    renderedContent,
    topic,
    channelId,
  }: Pick<MessageRow, "renderedContent" | "topic" | "channelId">,
  searched: SearchWords = nothingSearched,
  knowsEmptyTopics = false,
): Promise<string> {
  const subject = highlightText(
    channelId === null ? topic : shownTopic(topic, knowsEmptyTopics),
    searched,
  );
  return `"match_content":${await highlightInTurns(renderedContent, searched)},"match_subject":${subject}`;
}

/**
 * Messages among these that belong to a narrow, with highlighted matches, for a client that has
 * just received them. Messages that the actor may not read are left out like missing ones. Refuses
 * an invalid narrow, and messages that are too long for one answer. Source:
 * `test/recorded/api/api-surface.json`, check-messages-match-narrow.
 */
export async function matchNarrow(
  ctx: Context<Person>,
  { msgIds, narrow: terms }: Input<typeof MatchNarrow>,
  { expect }: Pick<Connection, "expect">,
): Promise<JsonPieces> {
  if (msgIds.length > messagesPerRequestMax) throw tooMany();
  const asked = [...new Set(msgIds)];
  await beginLongWork(ctx);
  const query = amongThese(await narrowQuery(ctx, terms), asked);
  await prepareIndex(ctx, query);
  const found = await findPatiently(ctx, query, { side: "newest", anchor: 0, count: asked.length });
  // Rights and texts are of one moment at the end, because the search may have taken long.
  const { answerSizeBytesMax: sizeBytesMax } = ctx.app.config;
  const limit = {
    countMin: 1,
    sizeBytesMax,
    sizeBytesOf: ({ rendered }: MessageSize) => rendered + matchBytes,
    measured: new Map<number, MessageSize>(),
  };
  const { readable, count } = await ctx.app.engine.snapshot(async (reader) => {
    const first = await readFirstMessages(reader, ctx.realm.id, found, limit);
    expect(first.sizeBytes);
    const messages = first.messages.map(({ message }) => message);
    return { readable: await filterReadable(reader, readerOf(ctx), messages), count: first.count };
  });
  if (count < found.length) throw tooLong("msg_ids", sizeBytesMax, count);
  const matches: string[] = [];
  const pace = makePace(htmlPerTurn);
  let sizeBytes = 0;
  for (const message of readable) {
    const match = `"${message.id}":{${await matchMembers(message, query.searched)}}`;
    sizeBytes += Buffer.byteLength(match);
    if (sizeBytes > sizeBytesMax && matches.length > 0)
      throw tooLong("msg_ids", sizeBytesMax, matches.length);
    matches.push(match);
    await pace(message.renderedContent.length);
  }
  return new JsonPieces(['"messages":{', ...commaBetween(matches), "}"]);
}
