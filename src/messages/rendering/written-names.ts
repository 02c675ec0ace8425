import { and, asc, desc, eq, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { type ChannelRow, findAccess } from "../../channels/queries";
import { topicKey } from "../../channels/topics/empty-topic";
import type { Context, UserRow } from "../../core/context";
import { readableBy } from "../../core/reading-right/stored";
import { isSystemGroupName, systemGroupTitles } from "../../core/rights/group-setting";
import { sees } from "../../core/rights/person-visibility";
import { channelsWritten, topicsWritten, type WrittenTopic } from "../../markdown/channel-links";
import { mayHaveEmoticons } from "../../markdown/emoticons";
import type { Linkifier } from "../../markdown/linkifiers";
import { groupsWritten, personsWritten, type WrittenPerson } from "../../markdown/mentions";
import type { CustomEmoji, MentionedGroup } from "../../markdown/names";
import { parseUserSettings } from "../../people/settings/user-settings";
import { findGroupByName } from "../../people/user-groups/queries";
import { findUser, findUsersByIds, listUsers } from "../../people/users/queries";
import { viewerOf } from "../../people/users/viewer";
import { listLinkifiers } from "../../realm/linkifiers/queries";
import { listRealmEmoji } from "../../realm/realm-emoji/queries";
import { parseRealmSettings } from "../../realm/settings";
import type { Words } from "../../uploads/opening-right";
import { findMedia } from "../../uploads/pictures";
import { factKey, type NameFacts } from "./name-facts";

/** Number of names of each kind that are looked up for one text; further ones stay text. */
const namesMax = { people: 100, groups: 50, channels: 50, topics: 50 };

const selectByName = statement((db, t, given: Given<{ realmId: number; name: string }>) =>
  db
    .select()
    .from(t.users)
    .where(and(eq(t.users.realmId, given.realmId), eq(t.users.fullName, given.name)))
    .orderBy(desc(t.users.isActive), asc(t.users.id))
    .limit(1),
);

const idsByFoldedName = new WeakMap<readonly UserRow[], ReadonlyMap<string, number>>();

/** Ids by names without regard to capitals; of one name somebody who is still there. */
function foldNames(everybody: readonly UserRow[]): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  for (const isStillThere of [true, false])
    for (const { id, fullName, isActive } of everybody)
      if (isActive === isStillThere) ids.getOrInsert(fullName.toLowerCase(), id);
  return ids;
}

/** Whether a text may contain names; most do not. */
export const mayNameSomething = (ctx: Context, source: string): boolean =>
  ctx.realm.hasLinkifiers ||
  writesEmoticons(ctx, source) ||
  /@|#\*\*|:[\w+-]+:|\/user_uploads\//.test(source);

/** Whether a text may contain emoticons that its author wants as emoji. */
const writesEmoticons = ({ actor }: Context, source: string): boolean =>
  mayHaveEmoticons(source) &&
  "user" in actor &&
  parseUserSettings(actor.user.settings).translate_emoticons;

/** Names for every text: the addresses of this server. */
export const namesOfServer = ({ realm, url }: Context): { sites: readonly string[] } => ({
  sites: [url, `https://${realm.host}`, `http://${realm.host}`],
});

/**
 * Names in a text, for the actor who writes it. Names of people and channels that the actor may not
 * know stay plain text. `words` tells whose words the text has. Needs a statement or two for each
 * kind.
 */
export async function namesForWriter(
  reader: Reader,
  ctx: Context,
  source: string,
  words: Words = {},
): Promise<NameFacts> {
  const { realm } = ctx;
  const names: NameFacts = namesOfServer(ctx);
  if (realm.hasLinkifiers) names.linkifiers = await linkifiersOf(reader, realm.id);
  if (source.includes("@")) Object.assign(names, await peopleForWriter(reader, ctx, source));
  if (source.includes("#**")) Object.assign(names, await channelsForWriter(reader, ctx, source));
  if (/:[\w+-]+:/.test(source)) names.emoji = await emojiIn(reader, realm.id, source);
  if (writesEmoticons(ctx, source)) names.translatesEmoticons = true;
  if (source.includes("/user_uploads/"))
    Object.assign(names, await mediaForWriter(reader, ctx, source, words));
  return names;
}

const linkifiersOf = async (reader: Reader, realmId: number): Promise<Linkifier[]> =>
  (await listLinkifiers(reader, realmId)).map(({ pattern, urlTemplate }) => ({
    pattern,
    urlTemplate,
  }));

/** Only facts about files that the text opens to its readers are used. */
async function mediaForWriter(
  reader: Reader,
  ctx: Context,
  source: string,
  words: Words,
): Promise<NameFacts> {
  const { realm, actor } = ctx;
  const previewsImages = parseRealmSettings(realm.settings).inline_image_preview;
  if (!("user" in actor)) return { previewsImages };
  const writing = { ...words, realmId: realm.id, sender: actor.user };
  const uploads = await findMedia(reader, writing, source);
  return { previewsImages, uploads };
}

async function peopleForWriter(reader: Reader, ctx: Context, source: string): Promise<NameFacts> {
  const people = await findPeople(reader, ctx.realm.id, personsWritten(source));
  const ids = people.map(({ id }) => id);
  const viewer = await viewerOf(reader, ctx, ids);
  return {
    people: people.filter((person) => sees(viewer, person)).map(mentioned),
    groups: await findGroups(reader, ctx.realm.id, source),
  };
}

/** The people and user groups named in a text of the server itself, for all readers. */
export async function namesForServer(
  reader: Reader,
  realmId: number,
  source: string,
): Promise<NameFacts> {
  if (!source.includes("@")) return {};
  const people = await findPeople(reader, realmId, personsWritten(source));
  return { people: people.map(mentioned), groups: await findGroups(reader, realmId, source) };
}

const mentioned = ({ id, fullName, isActive }: UserRow) => ({ id, fullName, isActive });

/**
 * The people whom a text names. Where nobody has a name with these capitals, somebody who has it
 * with others; all people are read for this, at most once for a text.
 */
async function findPeople(
  reader: Reader,
  realmId: number,
  written: WrittenPerson[],
): Promise<UserRow[]> {
  const some = written.slice(0, namesMax.people);
  const found = await Promise.all(
    some.map(async ({ name, id }) => {
      if (id !== undefined) return findUser(reader, realmId, id);
      const [person] = await selectByName(reader, { realmId, name });
      return person;
    }),
  );
  const missing = some.filter(({ id }, place) => id === undefined && !found[place]);
  const others = missing.length === 0 ? [] : await findFolded(reader, realmId, missing);
  return [...found, ...others].filter((person) => person !== undefined);
}

async function findFolded(reader: Reader, realmId: number, written: readonly WrittenPerson[]) {
  const everybody = await listUsers(reader, realmId);
  const ids = idsByFoldedName.getOrInsertComputed(everybody, () => foldNames(everybody));
  const wanted = written.flatMap(({ name }) => ids.get(name.toLowerCase()) ?? []);
  return findUsersByIds(reader, realmId, [...new Set(wanted)]);
}

async function findGroups(
  reader: Reader,
  realmId: number,
  source: string,
): Promise<ReadonlyMap<string, MentionedGroup>> {
  const written = groupsWritten(source).slice(0, namesMax.groups);
  const found = await Promise.all(written.map((name) => findGroupByName(reader, realmId, name)));
  return new Map(
    found.flatMap((group) => {
      if (!group) return [];
      const { id, name, isActive } = group;
      const shownName = isSystemGroupName(name) ? systemGroupTitles[name] : name;
      return [[name, { id, name: shownName, isActive }] as const];
    }),
  );
}

async function channelsForWriter(reader: Reader, ctx: Context, source: string): Promise<NameFacts> {
  const channels: ChannelRow[] = [];
  const readable: ChannelRow[] = [];
  for (const name of channelsWritten(source).slice(0, namesMax.channels)) {
    const access = await findAccess(ctx, reader, { name });
    if (!access?.mayKnow || access.channel.name !== name) continue;
    channels.push(access.channel);
    if (access.mayRead) readable.push(access.channel);
  }
  const userId = "user" in ctx.actor ? ctx.actor.user.id : undefined;
  return {
    channels: channels.map(({ id, name }) => ({ id, name })),
    topics: await newestMessages(reader, readable, topicsWritten(source), userId),
  };
}

/**
 * The newest messages of topics of these channels that a text names, by `factKey`; if there is a
 * user, among messages that they may read.
 */
export async function newestMessages(
  reader: Reader,
  channels: readonly ChannelRow[],
  written: readonly WrittenTopic[],
  userId: number | undefined,
): Promise<ReadonlyMap<string, number>> {
  const newest = new Map<string, number>();
  for (const { channel: name, topic } of written.slice(0, namesMax.topics)) {
    const channel = channels.find((one) => one.name === name);
    const id = channel && (await findNewest(reader, channel, topic, userId));
    if (id) newest.set(factKey(channel.id, topic), id);
  }
  return newest;
}

async function findNewest(
  reader: Reader,
  channel: ChannelRow,
  topic: string,
  userId: number | undefined,
) {
  const { messages } = reader.t;
  const { realmId, id } = channel;
  const [row] = await reader.db
    .select({ id: sql<number>`coalesce(max(${messages.id}), 0)`.mapWith(Number) })
    .from(messages)
    .where(
      and(
        eq(messages.realmId, realmId),
        eq(messages.channelId, id),
        eq(messages.topicKey, topicKey(topic)),
        await readableBy(reader, userId, channel),
      ),
    );
  return row?.id;
}

/** The organization's own active emoji that a text names. */
async function emojiIn(
  reader: Reader,
  realmId: number,
  source: string,
): Promise<ReadonlyMap<string, CustomEmoji>> {
  const all = await listRealmEmoji(reader, realmId);
  const written = new Set([...source.matchAll(/:(?=([\w+-]+):)/g)].map(([, name]) => name));
  return new Map(
    all.flatMap(({ name, isDeactivated, sourceUrl }) =>
      isDeactivated || !written.has(name) ? [] : [[name, { url: sourceUrl }] as const],
    ),
  );
}
