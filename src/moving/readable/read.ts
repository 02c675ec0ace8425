import { and, asc, desc, eq, gt, lte } from "drizzle-orm";
import type { Context } from "../../core/context";
import { messagePages } from "../check/message-pages";

/** A place of messages: a channel, or a direct conversation of some people. */
export interface ReadablePlace {
  /** Name in the paths of files: `channel-5`, `direct-7`. */
  key: string;
  title: string;
  isChannel: boolean;
}

/** A message with the names of its sender and its place. */
export interface ReadableMessage {
  id: number;
  place: ReadablePlace;
  /** Empty in direct conversations. */
  topic: string;
  sender: { name: string; email: string };
  /** UNIX seconds. */
  sentAt: number;
  lastEditedAt: number | null;
  /** The Markdown that was written. */
  content: string;
  html: string;
  reactions: { emoji: string; name: string }[];
  files: ReadableFile[];
}

/** A file of a message. `path` is the part of its address after `/user_uploads/`. */
interface ReadableFile {
  path: string;
  name: string;
}

/** People and places of an organization, by their ids. */
export interface Directory {
  people: Map<number, { name: string; email: string }>;
  channels: Map<number, ReadablePlace>;
  conversations: Map<number, ReadablePlace>;
}

/** Reads the names of all people, channels and conversations. */
export async function readDirectory({ reader, realm }: Context): Promise<Directory> {
  const { db, t } = reader;
  const users = await db.select().from(t.users).where(eq(t.users.realmId, realm.id));
  const channels = await db.select().from(t.channels).where(eq(t.channels.realmId, realm.id));
  const conversations = await db
    .select()
    .from(t.conversations)
    .where(eq(t.conversations.realmId, realm.id));
  const people = new Map(users.map(({ id, fullName, email }) => [id, { name: fullName, email }]));
  const namesOf = (ids: string) =>
    ids.split(",").map((id) => people.get(Number(id))?.name ?? `User ${id}`);
  return {
    people,
    channels: new Map(
      channels.map(({ id, name }) => [
        id,
        { key: `channel-${id}`, title: `#${name}`, isChannel: true },
      ]),
    ),
    conversations: new Map(
      conversations.map(({ id, userIds }) => [
        id,
        { key: `direct-${id}`, title: namesOf(userIds).join(", "), isChannel: false },
      ]),
    ),
  };
}

/**
 * All messages of an organization, oldest first, in pages. Messages that are newer than the
 * beginning of this read are left out. People and places that it meets and the directory lacks are
 * added to the directory. Each is searched for once, because some are gone.
 */
export async function* readableMessages(
  ctx: Context,
  directory: Directory,
): AsyncGenerator<ReadableMessage[]> {
  const { reader, realm } = ctx;
  const { db, t } = reader;
  const [newest] = await db
    .select({ id: t.messages.id })
    .from(t.messages)
    .where(eq(t.messages.realmId, realm.id))
    .orderBy(desc(t.messages.id))
    .limit(1);
  const searched = new Set<string>();
  for await (const ids of messagePages(reader, realm.id, newest?.id ?? 0)) {
    const [first = 0, last = 0] = [ids[0], ids.at(-1)];
    const page = await readPage(reader, realm.id, { first, last });
    const missing = missingFrom(directory, page).filter((name) => !searched.has(name));
    if (missing.length > 0) await addNewcomers(ctx, directory);
    for (const name of missing) searched.add(name);
    yield readableOf(page, directory);
  }
}

/**
 * Adds the people and places that were made after the directory was read. Old messages may have
 * been moved into such a channel, and newcomers may react to old messages.
 */
async function addNewcomers(ctx: Context, { people, channels, conversations }: Directory) {
  const now = await readDirectory(ctx);
  addMissing(people, now.people);
  addMissing(channels, now.channels);
  addMissing(conversations, now.conversations);
}

function addMissing<Value>(to: Map<number, Value>, from: ReadonlyMap<number, Value>): void {
  for (const [id, value] of from) if (!to.has(id)) to.set(id, value);
}

/** Messages as they are stored, with their reactions and links. */
type StoredPage = Awaited<ReturnType<typeof readPage>>;

async function readPage(
  { db, t }: Context["reader"],
  realmId: number,
  { first, last }: { first: number; last: number },
) {
  const { messages: m, reactions: r, attachments: a, attachmentMessages: link } = t;
  const rows = await db
    .select()
    .from(m)
    .where(and(eq(m.realmId, realmId), gt(m.id, first - 1), lte(m.id, last)))
    .orderBy(asc(m.id));
  const reactions = await db
    .select()
    .from(r)
    .where(and(eq(r.realmId, realmId), gt(r.messageId, first - 1), lte(r.messageId, last)))
    .orderBy(asc(r.id));
  const links = await db
    .select({ messageId: link.messageId, path: a.pathId, name: a.name })
    .from(link)
    .innerJoin(a, and(eq(a.realmId, link.realmId), eq(a.id, link.attachmentId)))
    .where(
      and(eq(link.realmId, realmId), gt(link.messageId, first - 1), lte(link.messageId, last)),
    );
  return { rows, reactions, links };
}

const placeOf = (
  { channels, conversations }: Directory,
  { channelId, conversationId }: StoredPage["rows"][number],
) => channels.get(channelId ?? 0) ?? conversations.get(conversationId ?? 0);

/** Names of the people and places of a page that the directory lacks. */
const missingFrom = (directory: Directory, { rows, reactions }: StoredPage): string[] => [
  ...rows.flatMap((row) =>
    placeOf(directory, row) ? [] : [`place ${row.channelId} ${row.conversationId}`],
  ),
  ...[...rows.map(({ senderId }) => senderId), ...reactions.map(({ userId }) => userId)].flatMap(
    (id) => (directory.people.has(id) ? [] : [`person ${id}`]),
  ),
];

function readableOf(
  { rows, reactions, links }: StoredPage,
  directory: Directory,
): ReadableMessage[] {
  const reactionsOf = Map.groupBy(reactions, ({ messageId }) => messageId);
  const filesOf = Map.groupBy(links, ({ messageId }) => messageId);
  const personOf = (id: number) => directory.people.get(id) ?? { name: `User ${id}`, email: "" };
  return rows.flatMap((row) => {
    const place = placeOf(directory, row);
    // A place that is gone by now has taken its messages with it.
    if (!place) return [];
    const { id, topic, sentAt, lastEditedAt, content, renderedContent: html, senderId } = row;
    return {
      id,
      place,
      topic,
      sentAt,
      lastEditedAt,
      content,
      html,
      sender: personOf(senderId),
      reactions: (reactionsOf.get(id) ?? []).map(({ emojiName: emoji, userId }) => ({
        emoji,
        name: personOf(userId).name,
      })),
      files: (filesOf.get(id) ?? []).map(({ path, name }) => ({ path, name })),
    };
  });
}
