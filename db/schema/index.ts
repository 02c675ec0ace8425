import { alertWordTables } from "./alert-words";
import { auditLogTables } from "./audit-log";
import { authTables } from "./auth";
import { botTables } from "./bots";
import { channelFolderTables } from "./channel-folders";
import { channelTables } from "./channels";
import { type Columns, columnsOf, type Dialect } from "./columns";
import { defaultChannelGroupTables } from "./default-channel-groups";
import { deviceTables } from "./devices";
import { domainTables } from "./domains";
import { eventTables } from "./events";
import { flagTables } from "./flags";
import { incomingWebhookTables } from "./incoming-webhooks";
import { invitationTables } from "./invitations";
import { jobTables } from "./jobs";
import { linkifierTables } from "./linkifiers";
import { mailTables } from "./mail";
import { mailInTables } from "./mail-in";
import { messageTables } from "./messages";
import { mutedUserTables } from "./muted-users";
import { navigationViewTables } from "./navigation-views";
import { onboardingStepTables } from "./onboarding-steps";
import { ownThingsTables } from "./own-things";
import { pictureTables } from "./pictures";
import { playgroundTables } from "./playgrounds";
import { presenceTables } from "./presence";
import { profileFieldTables } from "./profile-fields";
import { reactionTables } from "./reactions";
import { realmTables } from "./realm";
import { realmArchiveTables } from "./realm-archives";
import { realmEmojiTables } from "./realm-emoji";
import { searchTables, wordsTable } from "./search";
import { serverTables } from "./server";
import { statusTables } from "./status";
import { submessageTables } from "./submessages";
import { subscriptionTables } from "./subscriptions";
import { uploadTables } from "./uploads";
import { userGroupTables } from "./user-groups";
import { userTopicTables } from "./user-topics";
import { keyTables, userTables } from "./users";

/**
 * The functions that make the tables. Some make several. Exports and imports use this order: a
 * table comes after those whose rows its own rows need.
 */
const makers = {
  realms: realmTables,
  users: userTables,
  userGroups: userGroupTables,
  userGroupMembers: userGroupTables,
  userGroupSubgroups: userGroupTables,
  channelFolders: channelFolderTables,
  channels: channelTables,
  defaultChannelGroups: defaultChannelGroupTables,
  defaultChannelGroupChannels: defaultChannelGroupTables,
  profileFields: profileFieldTables,
  realmDomains: domainTables,
  linkifiers: linkifierTables,
  playgrounds: playgroundTables,
  realmEmoji: realmEmojiTables,
  bots: botTables,
  botStorage: botTables,
  webhookTemplates: incomingWebhookTables,
  subscriptions: subscriptionTables,
  subscriptionPeriods: subscriptionTables,
  userTopics: userTopicTables,
  alertWords: alertWordTables,
  mutedUsers: mutedUserTables,
  navigationViews: navigationViewTables,
  onboardingSteps: onboardingStepTables,
  userPresences: presenceTables,
  userStatuses: statusTables,
  conversations: messageTables,
  conversationMembers: messageTables,
  messages: messageTables,
  messageEdits: messageTables,
  submessages: submessageTables,
  reactions: reactionTables,
  attachments: uploadTables,
  attachmentMessages: uploadTables,
  messageFlags: flagTables,
  readWatermarks: flagTables,
  readBlocks: flagTables,
  drafts: ownThingsTables,
  savedSnippets: ownThingsTables,
  scheduledMessages: ownThingsTables,
  reminders: ownThingsTables,
  auditLog: auditLogTables,
  serverFacts: serverTables,
  apiKeys: keyTables,
  eventLog: eventTables,
  eventQueues: eventTables,
  sentLocals: eventTables,
  uploadTotals: uploadTables,
  resumableUploads: uploadTables,
  strayPictures: pictureTables,
  loginLinks: authTables,
  failedSignIns: authTables,
  sessions: authTables,
  addressProofs: authTables,
  invitations: invitationTables,
  invitationsSent: invitationTables,
  jobs: jobTables,
  missedMail: mailTables,
  searchProgress: searchTables,
  searchChanges: searchTables,
  messageWords: (_columns: Columns, dialect: Dialect) => ({ messageWords: wordsTable(dialect) }),
  devices: deviceTables,
  pushSubscriptions: deviceTables,
  pushedMessages: deviceTables,
  webhookSecrets: incomingWebhookTables,
  realmExports: realmArchiveTables,
  realmImports: realmArchiveTables,
  receivedMails: mailInTables,
};

type Makers = typeof makers;
type Made<Name extends keyof Makers> = ReturnType<Makers[Name]>;

export type Schema = {
  readonly [Name in keyof Makers]: Name extends keyof Made<Name> ? Made<Name>[Name] : never;
};

const schemas = new Map<Dialect, Schema>();

/** All tables for one engine. */
export function schemaOf(dialect: Dialect): Schema {
  const schema = schemas.get(dialect) ?? makeSchema(dialect);
  schemas.set(dialect, schema);
  return schema;
}

/**
 * Each table is made on first use, because most are not needed while a server starts, and making
 * all takes 4 ms.
 */
function makeSchema(dialect: Dialect): Schema {
  const columns = columnsOf(dialect);
  const schema: Record<string, unknown> = {};
  for (const [name, make] of Object.entries(makers)) {
    const get = () => {
      for (const [one, value] of Object.entries(make(columns, dialect))) {
        Object.defineProperty(schema, one, { value, enumerable: true });
      }
      return schema[name];
    };
    Object.defineProperty(schema, name, { get, enumerable: true, configurable: true });
  }
  return schema as Schema;
}

/**
 * The tables that migrations are written from: all but `messageWords`, which migrations create by
 * hand.
 */
export function tablesInMigrations(dialect: Dialect): Omit<Schema, "messageWords"> {
  const { messageWords: _, ...tables } = schemaOf(dialect);
  return tables;
}

export type { Dialect } from "./columns";
