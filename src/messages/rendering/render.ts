import type { Reader } from "../../../db/reader";
import type { ChannelRow } from "../../channels/queries";
import type { Context, Person } from "../../core/context";
import { type Input, record, text } from "../../core/params";
import { beginLongWork } from "../../core/turns/turn";
import { topicsWritten } from "../../markdown/channel-links";
import { isHeavy, type RenderedMarkdown, renderMarkdown } from "../../markdown/render";
import { lengthsMax } from "../../protocol/limits";
import type { Words } from "../../uploads/opening-right";
import { namesFrom } from "./name-facts";
import { renderBeside } from "./render-thread";
import { truncateContent } from "./source";
import {
  mayNameSomething,
  namesForServer,
  namesForWriter,
  namesOfServer,
  newestMessages,
} from "./written-names";

/**
 * Renders a text of the actor, with the people, groups and channels that it names and the actor may
 * know, and with the organization's own emoji and linkifiers. Needs no query where the text names
 * nothing. Long texts, code and formulas are rendered on another thread; when too much waits for
 * it, the text is refused (503). Not inside a write.
 */
export async function renderWritten(
  reader: Reader,
  ctx: Context,
  source: string,
  words: Words = {},
): Promise<RenderedMarkdown> {
  const facts = mayNameSomething(ctx, source)
    ? await namesForWriter(reader, ctx, source, words)
    : undefined;
  if (isHeavy(source)) {
    const rendered = await renderBeside(ctx, { source, facts: facts ?? namesOfServer(ctx) });
    // Storing a long text and handing it out takes as long as a piece of a long answer.
    await beginLongWork(ctx);
    return rendered;
  }
  // Most texts name nothing but the server, whose addresses need no other form.
  return renderMarkdown(source, facts ? namesFrom(facts) : namesOfServer(ctx));
}

/**
 * Renders a text of the server itself. It may name everybody, user groups, and the given channels
 * with their topics. Names of other channels stay text, because they come from people and may be
 * hidden from readers.
 */
export async function renderNotice(
  reader: Reader,
  realmId: number,
  source: string,
  channels: readonly ChannelRow[],
): Promise<RenderedMarkdown> {
  if (!/[@#]/.test(source)) return renderMarkdown(source);
  const facts = await namesForServer(reader, realmId, source);
  const topics = await newestMessages(reader, channels, topicsWritten(source), undefined);
  return renderMarkdown(source, namesFrom({ ...facts, channels, topics }));
}

export const RenderMessage = record({ content: text() });

/** Renders Markdown like a message of the actor, cut to the greatest length, and stores nothing. */
export async function renderMessage(
  ctx: Context<Person>,
  { content }: Input<typeof RenderMessage>,
): Promise<{ rendered: string }> {
  const source = truncateContent(content, lengthsMax.message);
  return { rendered: (await renderWritten(ctx.reader, ctx, source)).html };
}
