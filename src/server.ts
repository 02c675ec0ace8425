import { alertWordEndpoints } from "./alert-words/routes";
import { authEndpoints, loginPages } from "./auth/routes";
import { avatarEndpoints, avatarPages } from "./avatars/routes";
import { botStorageEndpoints } from "./bot-storage/routes";
import { botEndpoints } from "./bots/routes";
import { channelFolderEndpoints } from "./channel-folders/routes";
import { channelsEndpoints } from "./channels/routes";
import type { Config } from "./config";
import type { App } from "./core/context";
import type { Log } from "./core/log";
import { deviceEndpoints } from "./devices/routes";
import { domainEndpoints } from "./domains/routes";
import { draftEndpoints } from "./drafts/routes";
import { eventCatalog } from "./event-catalog";
import { eventEndpoints } from "./events/routes";
import { exportEndpoints, exportPages } from "./export/routes";
import { describeEvents } from "./http/openapi";
import type { Site } from "./http/pages";
import { type HttpServer, listen, serveHttp } from "./http/serve";
import { incomingWebhookEndpoints } from "./incoming-webhooks/routes";
import { invitationEndpoints, joinPages } from "./invitations/routes";
import { linkifierEndpoints } from "./linkifiers/routes";
import { mailPages } from "./mail/routes";
import { messageEndpoints } from "./messages/routes";
import { mutedUserEndpoints } from "./muted-users/routes";
import { navigationViewEndpoints } from "./navigation-views/routes";
import { onboardingStepEndpoints } from "./onboarding-steps/routes";
import { playgroundEndpoints } from "./playgrounds/routes";
import { presenceEndpoints } from "./presence/routes";
import { profileFieldEndpoints } from "./profile-fields/routes";
import { pushEndpoints } from "./push/routes";
import { reactionEndpoints } from "./reactions/routes";
import { realmEndpoints } from "./realm/routes";
import { emojiPages, realmEmojiEndpoints } from "./realm-emoji/routes";
import { realmPictureEndpoints, realmPicturePages } from "./realm-pictures/routes";
import { registrationPages } from "./registration/routes";
import { reminderEndpoints } from "./reminders/routes";
import { reportEndpoints } from "./reports/routes";
import { savedSnippetEndpoints } from "./saved-snippets/routes";
import { scheduledMessageEndpoints } from "./scheduled-messages/routes";
import { settingsEndpoints } from "./settings/routes";
import { stateKeys } from "./state-catalog";
import { statusEndpoints } from "./status/routes";
import { submessageEndpoints } from "./submessages/routes";
import { subscriptionsEndpoints } from "./subscriptions/routes";
import { topicEndpoints } from "./topics/routes";
import { typingEndpoints } from "./typing/routes";
import { filePages, uploadEndpoints } from "./uploads/routes";
import { userGroupEndpoints } from "./user-groups/routes";
import { userTopicEndpoints } from "./user-topics/routes";
import { addressPages, userEndpoints } from "./users/routes";

/** Everything that can be asked of the server. */
export const endpoints = [
  ...authEndpoints,
  ...eventEndpoints(stateKeys, describeEvents(eventCatalog)),
  ...messageEndpoints,
  ...reactionEndpoints,
  ...typingEndpoints,
  ...presenceEndpoints,
  ...statusEndpoints,
  ...mutedUserEndpoints,
  ...deviceEndpoints,
  ...pushEndpoints,
  ...topicEndpoints,
  ...userTopicEndpoints,
  ...alertWordEndpoints,
  ...draftEndpoints,
  ...savedSnippetEndpoints,
  ...scheduledMessageEndpoints,
  ...reminderEndpoints,
  ...submessageEndpoints,
  ...reportEndpoints,
  ...subscriptionsEndpoints,
  ...channelsEndpoints,
  ...channelFolderEndpoints,
  ...userGroupEndpoints,
  ...userEndpoints,
  ...avatarEndpoints,
  ...botEndpoints,
  ...botStorageEndpoints,
  ...incomingWebhookEndpoints,
  ...uploadEndpoints,
  ...realmEndpoints,
  ...invitationEndpoints,
  ...linkifierEndpoints,
  ...realmEmojiEndpoints,
  ...realmPictureEndpoints,
  ...domainEndpoints,
  ...profileFieldEndpoints,
  ...playgroundEndpoints,
  ...exportEndpoints,
  ...settingsEndpoints,
  ...navigationViewEndpoints,
  ...onboardingStepEndpoints,
];

/** What is opened below the root of the address, by people's browsers too. */
export const rootEndpoints = [
  ...loginPages,
  ...joinPages,
  ...mailPages,
  ...addressPages,
  ...registrationPages,
  ...filePages,
  ...emojiPages,
  ...avatarPages,
  ...realmPicturePages,
  ...exportPages,
];

const site: Site = { endpoints, atRoot: rootEndpoints };

/**
 * Takes the port that a configuration names. What is asked there waits until the server is opened.
 */
export const listenAt = (config: Config, log: Log): Promise<HttpServer> =>
  listen(config, site, { log });

/** Listens for requests to an app. */
export const serve = (app: App): Promise<HttpServer> => serveHttp(app, site);
