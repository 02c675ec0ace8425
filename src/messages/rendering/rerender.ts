import { Type } from "@sinclair/typebox";
import { and, asc, eq, gt } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import { findChannelsByIds } from "../../channels/queries";
import { actingAs } from "../../core/account";
import type { App, Context, Tx, UserRow } from "../../core/context";
import { findServerFact } from "../../core/server-facts";
import { makePace } from "../../core/turns/turn";
import { write } from "../../core/write";
import { defineJob } from "../../jobs/define";
import { topicsWritten } from "../../markdown/channel-links";
import type { Names } from "../../markdown/names";
import { charactersPerTurn, rendererVersion, renderMarkdown } from "../../markdown/render";
import { namesShown } from "../../markdown/shown-names";
import { notificationBotEmail } from "../../people/users/queries";
import { listRealms } from "../../realm/queries";
import { listRealmEmoji } from "../../realm/realm-emoji/queries";
import type { Words } from "../../uploads/opening-right";
import { type NameFacts, namesFrom } from "./name-facts";
import { shrinkHtmlJob } from "./oversized-html";
import { namesForServer, namesForWriter, newestMessages } from "./written-names";

/*
 * Messages store their HTML. When a new version of chatd renders differently, old messages are
 * rendered again, a batch at a time. There are no events: clients see the new HTML when they next
 * fetch the messages.
 */

/**
 * Number of messages that one write changes, so that other writes wait no longer than for a large
 * message.
 */
const messagesPerBatch = 100;

/** Name of the fact with the version for which messages are, or will be, rendered again. */
const factName = "renderer_version";

interface Stored {
  id: number;
  content: string;
  renderedContent: string;
  sender: UserRow;
}

/** Renders a realm's messages after a given one again, a batch in each run. Announces nothing. */
export const rerenderJob = defineJob(
  "rerender",
  Type.Object({ version: Type.Integer(), after: Type.Integer() }),
  async (ctx, { version, after }) => {
    if (version > rendererVersion)
      throw new Error("A newer version of chatd has to do this, because it renders differently.");
    const batch = await nextMessages(ctx.reader, ctx.realm.id, after);
    const last = batch.at(-1);
    if (!last) return undefined;
    const changed: (Stored & { html: string })[] = [];
    const pace = makePace(charactersPerTurn);
    for (const message of batch) {
      const html = await renderAnew(ctx, message);
      if (html !== message.renderedContent) changed.push({ ...message, html });
      await pace(message.content.length);
    }
    return async (tx) => {
      for (const message of changed) await replaceHtml(tx, ctx.realm.id, message);
      return { payload: { version, after: last.id }, at: tx.now };
    };
  },
);

async function nextMessages({ db, t }: Reader, realmId: number, after: number): Promise<Stored[]> {
  const { messages, users } = t;
  const { id, content, renderedContent } = messages;
  return db
    .select({ id, content, renderedContent, sender: users })
    .from(messages)
    .innerJoin(users, and(eq(users.realmId, messages.realmId), eq(users.id, messages.senderId)))
    .where(and(eq(messages.realmId, realmId), gt(id, after)))
    .orderBy(asc(id))
    .limit(messagesPerBatch);
}

/** The present HTML of a message, where names keep the meaning that they had when it was sent. */
async function renderAnew(
  ctx: Context,
  { id: messageId, content, renderedContent, sender }: Stored,
): Promise<string> {
  const { reader } = ctx;
  const shown: Names = /[@#:]/.test(content) ? namesShown(renderedContent) : {};
  // Bots may have repeated words of others, with links that have opened nothing.
  const words: Words = { messageId, ...(sender.botType === null ? {} : { authorId: null }) };
  const now = namesFrom(
    sender.email === notificationBotEmail(ctx.realm.host)
      ? await factsOfNotice(ctx, content, shown)
      : await namesForWriter(reader, actingAs(ctx, sender), content, words),
  );
  const names: Names = {
    ...now,
    person: (name, id) => shown.person?.(name, id) ?? now.person?.(name, id),
    group: (name) => shown.group?.(name) ?? now.group?.(name),
    channel: (name) => shown.channel?.(name) ?? now.channel?.(name),
    ...(shown.unicodeEmoji && { unicodeEmoji: shown.unicodeEmoji }),
    ...(now.emoji && { emoji: await withFormerEmoji(reader, ctx.realm.id, now.emoji) }),
  };
  return renderMarkdown(content, names).html;
}

/** A notice keeps the channel links that it had. */
async function factsOfNotice(ctx: Context, content: string, shown: Names): Promise<NameFacts> {
  const { reader, realm } = ctx;
  const topics = topicsWritten(content);
  const linked = topics.flatMap(({ channel }) => shown.channel?.(channel) ?? []);
  const channels = await findChannelsByIds(
    reader,
    realm.id,
    linked.map(({ id }) => id),
  );
  const byFormerName = linked.flatMap(({ id, name }) => {
    const channel = channels.find((one) => one.id === id);
    return channel ? [{ ...channel, name }] : [];
  });
  return {
    ...(await namesForServer(reader, realm.id, content)),
    topics: await newestMessages(reader, byFormerName, topics, undefined),
  };
}

/** A removed emoji is still shown where it was used. */
async function withFormerEmoji(
  reader: Reader,
  realmId: number,
  inUse: NonNullable<Names["emoji"]>,
) {
  const all = await listRealmEmoji(reader, realmId);
  return (name: string) => {
    const former = all.findLast((emoji) => emoji.name === name);
    return inUse(name) ?? (former && { url: former.sourceUrl });
  };
}

/** Skips a message that was changed meanwhile, because that has rendered it again. */
async function replaceHtml(
  tx: Tx,
  realmId: number,
  { id, content, renderedContent, html }: Stored & { html: string },
) {
  const { messages } = tx.t;
  await tx.db
    .update(messages)
    .set({ renderedContent: html })
    .where(
      and(
        eq(messages.realmId, realmId),
        eq(messages.id, id),
        eq(messages.content, content),
        eq(messages.renderedContent, renderedContent),
      ),
    );
}

/**
 * Starts the rendering of all messages that an older version of the renderer may have rendered, and
 * of other texts that it may have made too large, in organizations that existed before this
 * process. Run at each start; several nodes may run it at once. After a crash the next start
 * repeats it.
 */
export async function beginRerendering(app: App): Promise<void> {
  const { engine } = app;
  const { serverFacts } = engine.schema;
  const stored = await findServerFact(engine.reader, factName);
  if (Number(stored ?? 0) >= rendererVersion) return;
  for (const realm of await listRealms(engine.reader)) {
    if (realm.createdAt >= app.startedAt) continue;
    const scope = { app, realm, now: app.clock.now() };
    await write(scope, async (tx) => {
      await rerenderJob.enqueue(tx, scope, { version: rendererVersion, after: 0 }, { key: "all" });
      await shrinkHtmlJob.enqueue(tx, scope, { table: 0, after: 0 }, { key: "all" });
    });
  }
  await engine.write(
    0,
    async ({ db }) => {
      const value = String(rendererVersion);
      await db
        .insert(serverFacts)
        .values({ name: factName, value })
        .onConflictDoUpdate({ target: serverFacts.name, set: { value } });
    },
    () => undefined,
  );
}
