import { eq } from "drizzle-orm";
import type { RunningApp } from "../../../src/app";
import { parseRealmSettings, realmSettings } from "../../../src/realm/settings";
import type { Client } from "../client";
import { open } from "../files";
import { signInAll } from "./realm-view";

type Json = ReturnType<typeof JSON.parse>;

interface Server {
  app: RunningApp;
  site: string;
}

/**
 * An organization as its people see it, with names instead of ids, so that two of different servers
 * can be compared: people, channels with their subscribers, groups, settings, and the messages of
 * everybody with flags, reactions and files.
 */
export async function viewOrganization(server: Server, host: string) {
  const { db, t } = server.app.engine.reader;
  const [realm] = await db.select().from(t.realms).where(eq(t.realms.host, host));
  if (!realm) throw new Error(`nobody is at ${host}`);
  const users = await db.select().from(t.users).where(eq(t.users.realmId, realm.id));
  const emailOf = new Map(
    users.map(({ id, emailKey, isSystemBot, fullName }) => [id, isSystemBot ? fullName : emailKey]),
  );
  const messages: Record<string, Json> = {};
  for (const [email, person] of await signInAll(server, host))
    messages[email] = await viewMessages(person, emailOf);
  return {
    people: users
      .map(
        ({ id, fullName, role, isActive, timezone, settings }) =>
          [
            emailOf.get(id),
            fullName,
            role,
            isActive,
            timezone,
            sorted(JSON.parse(settings)),
          ] as const,
      )
      .toSorted(byText),
    channels: await viewChannels(server, realm.id, emailOf),
    groups: await viewGroups(server, realm.id, emailOf),
    settings: plainSettings(realm.settings),
    messages,
  };
}

const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
const sorted = (value: object) => Object.fromEntries(Object.entries(value).toSorted(byText));

/** The settings of an organization that name nothing by an id. */
const plainSettings = (json: string) =>
  Object.fromEntries(
    Object.entries(parseRealmSettings(json)).filter(([name]) => {
      const { type } = realmSettings[name as keyof typeof realmSettings];
      return type !== "group" && !/_(?:stream|channel)_id$/.test(name);
    }),
  );

async function viewChannels({ app }: Server, realmId: number, emailOf: Map<number, string>) {
  const { db, t } = app.engine.reader;
  const rows = await db.select().from(t.channels).where(eq(t.channels.realmId, realmId));
  const subscriptions = await db
    .select()
    .from(t.subscriptions)
    .where(eq(t.subscriptions.realmId, realmId));
  return rows
    .map((one) => ({
      name: one.name,
      description: withoutIds(one.description),
      inviteOnly: one.inviteOnly,
      shared: one.historyPublicToSubscribers,
      archived: one.isArchived,
      default: one.isDefault,
      webPublic: one.isWebPublic,
      retention: one.messageRetentionDays,
      topics: one.topicsPolicy,
      subscribers: subscriptions
        .filter(({ channelId, isActive }) => channelId === one.id && isActive)
        .map(({ userId, color, isMuted }) => [emailOf.get(userId), color, isMuted])
        .toSorted(byText),
    }))
    .toSorted(byText);
}

async function viewGroups({ app }: Server, realmId: number, emailOf: Map<number, string>) {
  const { db, t } = app.engine.reader;
  const rows = await db.select().from(t.userGroups).where(eq(t.userGroups.realmId, realmId));
  const members = await db
    .select()
    .from(t.userGroupMembers)
    .where(eq(t.userGroupMembers.realmId, realmId));
  return rows
    .map(({ id, name, description, isActive, isSystem }) => ({
      name,
      isActive,
      description: isSystem ? "" : description,
      members: members
        .filter(({ groupId }) => groupId === id)
        .map(({ userId }) => emailOf.get(userId))
        .toSorted(),
    }))
    .toSorted(byText);
}

/** All that somebody may read: direct messages, and each channel that they see. */
async function viewMessages(person: Client, emailOf: Map<number, string>): Promise<Json[]> {
  const { streams = [] } = (await person.get("/streams")).body;
  const narrows = [
    [{ operator: "is", operand: "dm" }],
    ...streams.map(({ name }: Json) => [{ operator: "channel", operand: name }]),
  ];
  const views: Json[] = [];
  for (const narrow of narrows) views.push(...(await viewNarrow(person, narrow, emailOf)));
  return views.toSorted(byText);
}

async function viewNarrow(person: Client, narrow: Json, emailOf: Map<number, string>) {
  const page = { anchor: "oldest", num_before: 0, num_after: 1000, narrow };
  const { body } = await person.get("/messages", { ...page, apply_markdown: false });
  const views: Json[] = [];
  // A bot that only posts is refused.
  for (const one of body.messages ?? []) {
    const reactions = one.reactions.map((each: Json) => [
      emailOf.get(each.user_id),
      each.emoji_name,
      each.reaction_type,
    ]);
    const place =
      typeof one.display_recipient === "string"
        ? one.display_recipient
        : one.display_recipient.map(({ id }: Json) => emailOf.get(id)).toSorted();
    views.push({
      sender: emailOf.get(one.sender_id),
      place,
      topic: one.subject,
      content: withoutIds(one.content),
      sent: one.timestamp,
      edited: one.last_edit_timestamp ?? null,
      flags: one.flags.filter((flag: string) => flag !== "historical").toSorted(),
      reactions: reactions.toSorted(byText),
      files: await filesIn(person, one.content),
    });
  }
  return views;
}

const uploadForm = /\/user_uploads\/\d+\/[\w-]+\/[^\s)]+/g;

const withoutIds = (content: string) =>
  content
    .replace(/\|\d+\*\*/g, "**")
    .replace(/\/user_uploads\/\d+\/[\w-]+\//g, "/user_uploads/")
    .replace(/#narrow\/(channel|dm)\/[\d,]+-/g, "#narrow/$1/")
    .replace(/near\/\d+/g, "near")
    .replace(/>([^*@>]*)@\d+\*\*/g, ">$1**")
    .replace(/http:\/\/[\w.:-]+\/#/g, "#");

async function filesIn(person: Client, content: string): Promise<string[]> {
  const texts: string[] = [];
  for (const [address] of content.matchAll(uploadForm))
    texts.push(await (await open(person, address)).text());
  return texts;
}
