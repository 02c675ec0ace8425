import { alertWordTables } from "./alert-words";
import { authTables } from "./auth";
import { botTables } from "./bots";
import { channelFolderTables } from "./channel-folders";
import { channelTables } from "./channels";
import { columnsOf, type Dialect } from "./columns";
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

/** All tables, built for one engine. */
export function makeSchema(dialect: Dialect) {
  const columns = columnsOf(dialect);
  return {
    ...serverTables(columns),
    ...realmTables(columns),
    ...userTables(columns),
    ...keyTables(columns),
    ...userGroupTables(columns),
    ...channelTables(columns),
    ...subscriptionTables(columns),
    ...messageTables(columns),
    ...flagTables(columns),
    ...reactionTables(columns),
    ...eventTables(columns),
    ...uploadTables(columns),
    ...pictureTables(columns),
    ...authTables(columns),
    ...userTopicTables(columns),
    ...alertWordTables(columns),
    ...domainTables(columns),
    ...channelFolderTables(columns),
    ...profileFieldTables(columns),
    ...navigationViewTables(columns),
    ...onboardingStepTables(columns),
    ...playgroundTables(columns),
    ...invitationTables(columns),
    ...jobTables(columns),
    ...ownThingsTables(columns),
    ...submessageTables(columns),
    ...realmEmojiTables(columns),
    ...linkifierTables(columns),
    ...mailTables(columns),
    ...searchTables(columns),
    messageWords: wordsTable(dialect),
    ...presenceTables(columns),
    ...statusTables(columns),
    ...mutedUserTables(columns),
    ...deviceTables(columns),
    ...botTables(columns),
    ...incomingWebhookTables(columns),
    ...realmArchiveTables(columns),
    ...mailInTables(columns),
  };
}

export type Schema = ReturnType<typeof makeSchema>;
export type { Dialect } from "./columns";
