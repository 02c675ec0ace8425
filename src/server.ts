import { botStorageEndpoints } from "./bots/bot-storage/routes";
import { incomingWebhookEndpoints } from "./bots/incoming-webhooks/routes";
import { botEndpoints } from "./bots/routes";
import { channelFolderEndpoints } from "./channels/channel-folders/routes";
import { userTopicEndpoints } from "./channels/user-topics/routes";
import type { Config } from "./config";
import type { App } from "./core/context";
import type { Log } from "./core/log";
import { pushEndpoints } from "./devices/push/routes";
import { deviceEndpoints } from "./devices/registration/routes";
import { eventCatalog } from "./event-catalog";
import { describeEvents } from "./http/openapi";
import type { Site } from "./http/pages";
import { type HttpServer, listen, serveHttp } from "./http/serve";
import { invitationEndpoints, joinPages } from "./joining/invitations/routes";
import { registrationPages } from "./joining/registration/routes";
import { mailPages } from "./mail/routes";
import { addressPages, userEndpoints } from "./management/accounts/routes";
import { channelsEndpoints } from "./management/channels/routes";
import { domainEndpoints } from "./management/domains/routes";
import { userGroupEndpoints } from "./management/groups/routes";
import { linkifierEndpoints } from "./management/linkifiers/routes";
import { realmEndpoints } from "./management/organization/routes";
import { authEndpoints, loginPages } from "./management/own-account/routes";
import { playgroundEndpoints } from "./management/playgrounds/routes";
import { profileFieldEndpoints } from "./management/profile-fields/routes";
import { emojiPages, realmEmojiEndpoints } from "./management/realm-emoji/routes";
import { realmPictureEndpoints, realmPicturePages } from "./management/realm-pictures/routes";
import { settingsEndpoints } from "./management/settings/routes";
import { subscriptionsEndpoints } from "./management/subscriptions/routes";
import { reactionEndpoints } from "./messages/reactions/routes";
import { reportEndpoints } from "./messages/reports/routes";
import { messageEndpoints } from "./messages/routes";
import { submessageEndpoints } from "./messages/submessages/routes";
import { topicEndpoints } from "./messages/topics/routes";
import { typingEndpoints } from "./messages/typing/routes";
import { exportEndpoints, exportPages } from "./moving/export/routes";
import { draftEndpoints } from "./own/drafts/routes";
import { mutedUserEndpoints } from "./own/muted-users/routes";
import { navigationViewEndpoints } from "./own/navigation-views/routes";
import { onboardingStepEndpoints } from "./own/onboarding-steps/routes";
import { reminderEndpoints } from "./own/reminders/routes";
import { savedSnippetEndpoints } from "./own/saved-snippets/routes";
import { scheduledMessageEndpoints } from "./own/scheduled-messages/routes";
import { alertWordEndpoints } from "./people/alert-words/routes";
import { avatarEndpoints, avatarPages } from "./people/avatars/routes";
import { presenceEndpoints } from "./people/presence/routes";
import { statusEndpoints } from "./people/status/routes";
import { eventEndpoints } from "./register/routes";
import { stateKeys } from "./state-catalog";
import { filePages, uploadEndpoints } from "./uploads/routes";

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

/** Endpoints below the root of the address, which people's browsers open too. */
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

/** Takes the port that a configuration names. Requests to it wait until the server is opened. */
export const listenAt = (config: Config, log: Log): Promise<HttpServer> =>
  listen(config, site, { log });

/** Listens for requests to an app. */
export const serve = (app: App): Promise<HttpServer> => serveHttp(app, site);
