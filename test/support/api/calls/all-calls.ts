import { botCalls } from "./bot-calls";
import type { Calls } from "./call";
import { channelCalls } from "./channel-calls";
import { defaultGroupCalls } from "./default-group-calls";
import { deviceCalls } from "./device-calls";
import { domainCalls } from "./domain-calls";
import { emojiCalls } from "./emoji-calls";
import { exportCalls } from "./export-calls";
import { fileCalls } from "./file-calls";
import { folderCalls } from "./folder-calls";
import { groupCalls } from "./group-calls";
import { incomingWebhookCalls } from "./incoming-webhook-calls";
import { invitationCalls } from "./invitation-calls";
import { mailCalls } from "./mail-calls";
import { doorCalls, messageCalls, topicCalls } from "./message-calls";
import { ownThingsCalls } from "./own-things-calls";
import { ownViewCalls } from "./own-view-calls";
import { peopleCalls, realmCalls } from "./people-calls";
import { pictureCalls } from "./picture-calls";
import { presenceCalls } from "./presence-calls";
import { profileCalls } from "./profile-calls";
import { sessionCalls } from "./session-calls";
import { tusCalls } from "./tus-calls";
import { videoCalls } from "./video-calls";

/**
 * A call for every endpoint of the server: what roles.test.ts tries as everybody, and
 * verify.test.ts as somebody who may.
 */
export const calls: Calls = {
  ...doorCalls,
  ...messageCalls,
  ...topicCalls,
  ...channelCalls,
  ...groupCalls,
  ...peopleCalls,
  ...botCalls,
  ...incomingWebhookCalls,
  ...sessionCalls,
  ...presenceCalls,
  ...deviceCalls,
  ...realmCalls,
  ...fileCalls,
  ...tusCalls,
  ...exportCalls,
  ...emojiCalls,
  ...pictureCalls,
  ...domainCalls,
  ...invitationCalls,
  ...mailCalls,
  ...videoCalls,
  ...defaultGroupCalls,
  ...folderCalls,
  ...profileCalls,
  ...ownViewCalls,
  ...ownThingsCalls,
};
