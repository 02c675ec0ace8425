import { and, count, countDistinct, eq, ne, sum } from "drizzle-orm";
import { topicKey } from "../../channels/topics/empty-topic";
import type { Context, RealmRow, UserRow } from "../../core/context";
import { parsedJson } from "../../core/json/parsed-json";
import { isRecord } from "../../core/json/record";
import { listBotsOf } from "../../management/accounts/deactivate";
import {
  listDirectSubgroupIds,
  listUserIdsIn,
  type UserGroupRow,
} from "../../people/user-groups/queries";
import { listUsers } from "../../people/users/queries";
import { listApiKeys } from "../../sign-in/api-keys";
import { listSessions } from "../../sign-in/sessions";
import { type Figure, figure } from "./figure";

/*
 * Numbers of the objects that are deleted, or end, together with an object that the operator
 * deletes or deactivates.
 */

/** Messages of a topic, the people who wrote them, and the files that they link to. */
export async function countTopic(
  { reader, realm }: Context,
  channelId: number,
  topic: string,
): Promise<Figure[]> {
  const { db, t } = reader;
  const { messages, attachmentMessages: links, attachments: files } = t;
  const isOfTopic = and(
    eq(messages.realmId, realm.id),
    eq(messages.channelId, channelId),
    eq(messages.topicKey, topicKey(topic)),
  );
  const [written] = await db
    .select({ count: count(), people: countDistinct(messages.senderId) })
    .from(messages)
    .where(isOfTopic);
  const isLink = and(eq(links.realmId, messages.realmId), eq(links.messageId, messages.id));
  const linked = db
    .selectDistinct({ id: files.id, bytes: files.sizeBytes })
    .from(messages)
    .innerJoin(links, isLink)
    .innerJoin(files, and(eq(files.realmId, links.realmId), eq(files.id, links.attachmentId)))
    .where(isOfTopic)
    .as("linked");
  const [sizes] = await db.select({ count: count(), bytes: sum(linked.bytes) }).from(linked);
  return [
    figure("messages", written?.count ?? 0, "message is deleted", "messages are deleted"),
    figure(
      "people",
      written?.people ?? 0,
      "person or bot has written them",
      "people and bots have written them",
    ),
    figure(
      "files",
      sizes?.count ?? 0,
      "file is linked in them, and stays with the person who uploaded it, unless that person was deleted",
      "files are linked in them, and stay with the people who uploaded them, unless those people were deleted",
    ),
    figure(
      "bytes",
      Number(sizes?.bytes ?? 0),
      "byte is in these files",
      "bytes are in these files",
    ),
  ];
}

/** Numbers of everything that an organization contains. */
export async function countOrganization(ctx: Context, realm: RealmRow): Promise<Figure[]> {
  const { db, t } = ctx.reader;
  const users = (await listUsers(ctx.reader, realm.id)).filter(({ isActive }) => isActive);
  const people = users.filter(({ botType }) => botType === null);
  const bots = users.filter(({ botType, isSystemBot }) => botType !== null && !isSystemBot);
  const [channels] = await db
    .select({ count: count() })
    .from(t.channels)
    .where(eq(t.channels.realmId, realm.id));
  const [messages] = await db
    .select({ count: count() })
    .from(t.messages)
    .where(eq(t.messages.realmId, realm.id));
  const [files] = await db
    .select({ count: count() })
    .from(t.attachments)
    .where(eq(t.attachments.realmId, realm.id));
  return [
    figure(
      "people",
      people.length,
      "person cannot use it any more",
      "people cannot use it any more",
    ),
    figure("bots", bots.length, "bot stops", "bots stop"),
    figure("channels", channels?.count ?? 0, "channel", "channels"),
    figure("messages", messages?.count ?? 0, "message", "messages"),
    figure("files", files?.count ?? 0, "file", "files"),
    figure("bytes", realm.uploadedBytes, "byte in these files", "bytes in these files"),
  ];
}

/** Sessions, keys, bots and invitations that end with an account. */
export async function countAccount(ctx: Context, user: UserRow): Promise<Figure[]> {
  const { reader, realm } = ctx;
  const bots = (await listBotsOf(reader, user)).filter(({ isActive }) => isActive);
  const { invitations } = reader.t;
  const [invited] = await reader.db
    .select({ count: count() })
    .from(invitations)
    .where(and(eq(invitations.realmId, realm.id), eq(invitations.inviterId, user.id)));
  return [
    figure(
      "sessions",
      (await listSessions(ctx, user.id)).length,
      "browser is signed out",
      "browsers are signed out",
    ),
    figure(
      "api_keys",
      (await listApiKeys(ctx, user.id)).length,
      "API key stops working",
      "API keys stop working",
    ),
    figure(
      "bots",
      bots.length,
      "bot of theirs is deactivated too",
      "bots of theirs are deactivated too",
    ),
    figure(
      "invitations",
      invited?.count ?? 0,
      "invitation of theirs is withdrawn",
      "invitations of theirs are withdrawn",
    ),
  ];
}

/** Messages and files of a deleted person that stay, under another name. */
export async function countTraces({ reader }: Context, user: UserRow): Promise<Figure[]> {
  const name = `Deleted user ${user.id}`;
  const { db, t } = reader;
  const [messages] = await db
    .select({ count: count() })
    .from(t.messages)
    .where(and(eq(t.messages.realmId, user.realmId), eq(t.messages.senderId, user.id)));
  const { attachments: a, attachmentMessages: links } = t;
  const [files] = await db
    .select({ count: countDistinct(a.id) })
    .from(a)
    .innerJoin(links, and(eq(links.realmId, a.realmId), eq(links.attachmentId, a.id)))
    .where(and(eq(a.realmId, user.realmId), eq(a.ownerId, user.id)));
  return [
    figure(
      "messages",
      messages?.count ?? 0,
      `message stays, under the name ${name}`,
      `messages stay, under the name ${name}`,
    ),
    figure(
      "files",
      files?.count ?? 0,
      "file stays, because a message links to it",
      "files stay, because messages link to them",
    ),
  ];
}

/** Keys that end with a bot, and channels that it leaves. */
export async function countBot(ctx: Context, bot: UserRow): Promise<Figure[]> {
  const { subscriptions } = ctx.reader.t;
  const isIn = and(
    eq(subscriptions.realmId, bot.realmId),
    eq(subscriptions.userId, bot.id),
    eq(subscriptions.isActive, true),
  );
  const [channels] = await ctx.reader.db.select({ count: count() }).from(subscriptions).where(isIn);
  return [
    figure(
      "api_keys",
      (await listApiKeys(ctx, bot.id)).length,
      "API key stops working",
      "API keys stop working",
    ),
    figure("channels", channels?.count ?? 0, "channel loses it", "channels lose it"),
  ];
}

/** Direct members of a group, and groups in it. */
export async function countGroup(
  { reader, realm }: Context,
  group: UserGroupRow,
): Promise<Figure[]> {
  const people = await listUserIdsIn(reader, realm.id, [group.id]);
  const subgroups = await listDirectSubgroupIds(reader, realm.id, group.id);
  return [
    figure(
      "people",
      people.size,
      "person or bot is in it, and stays in it",
      "people and bots are in it, and stay in it",
    ),
    figure("subgroups", subgroups.length, "group is in it", "groups are in it"),
  ];
}

/** Number of people who have filled in a profile field. */
export async function countAnswers({ reader, realm }: Context, fieldId: number): Promise<Figure[]> {
  const { users } = reader.t;
  const rows = await reader.db
    .select({ data: users.profileData })
    .from(users)
    .where(and(eq(users.realmId, realm.id), ne(users.profileData, "{}")));
  const filled = rows.filter(({ data }) => {
    const answers = parsedJson(data);
    return isRecord(answers) && String(fieldId) in answers;
  });
  return [
    figure(
      "people",
      filled.length,
      "person has filled it in: this is deleted",
      "people have filled it in: this is deleted",
    ),
  ];
}
