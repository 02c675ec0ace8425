import { botStorageEndpoints } from "./bots/bot-storage/routes";
import { incomingWebhookEndpoints } from "./bots/incoming-webhooks/routes";
import { botEndpoints } from "./bots/routes";
import { channelFolderEndpoints } from "./channels/channel-folders/routes";
import { channelsEndpoints } from "./channels/routes";
import { subscriptionsEndpoints } from "./channels/subscriptions/routes";
import { topicEndpoints } from "./channels/topics/routes";
import { userTopicEndpoints } from "./channels/user-topics/routes";
import type { Config } from "./config";
import type { App } from "./core/context";
import type { Log } from "./core/log";
import { pushEndpoints } from "./devices/push/routes";
import { deviceEndpoints } from "./devices/routes";
import { eventCatalog } from "./event-catalog";
import { eventEndpoints } from "./events/routes";
import { describeEvents } from "./http/openapi";
import type { Site } from "./http/pages";
import { type HttpServer, listen, serveHttp } from "./http/serve";
import { domainEndpoints } from "./joining/domains/routes";
import { invitationEndpoints, joinPages } from "./joining/invitations/routes";
import { registrationPages } from "./joining/registration/routes";
import { mailPages } from "./mail/routes";
import { reactionEndpoints } from "./messages/reactions/routes";
import { reportEndpoints } from "./messages/reports/routes";
import { messageEndpoints } from "./messages/routes";
import { submessageEndpoints } from "./messages/submessages/routes";
import { typingEndpoints } from "./messages/typing/routes";
import { exportEndpoints, exportPages } from "./moving/export/routes";
import { alertWordEndpoints } from "./own/alert-words/routes";
import { draftEndpoints } from "./own/drafts/routes";
import { navigationViewEndpoints } from "./own/navigation-views/routes";
import { onboardingStepEndpoints } from "./own/onboarding-steps/routes";
import { reminderEndpoints } from "./own/reminders/routes";
import { savedSnippetEndpoints } from "./own/saved-snippets/routes";
import { scheduledMessageEndpoints } from "./own/scheduled-messages/routes";
import { avatarEndpoints, avatarPages } from "./people/avatars/routes";
import { mutedUserEndpoints } from "./people/muted-users/routes";
import { presenceEndpoints } from "./people/presence/routes";
import { settingsEndpoints } from "./people/settings/routes";
import { statusEndpoints } from "./people/status/routes";
import { userGroupEndpoints } from "./people/user-groups/routes";
import { addressPages, userEndpoints } from "./people/users/routes";
import { linkifierEndpoints } from "./realm/linkifiers/routes";
import { playgroundEndpoints } from "./realm/playgrounds/routes";
import { profileFieldEndpoints } from "./realm/profile-fields/routes";
import { emojiPages, realmEmojiEndpoints } from "./realm/realm-emoji/routes";
import { realmPictureEndpoints, realmPicturePages } from "./realm/realm-pictures/routes";
import { realmEndpoints } from "./realm/routes";
import { authEndpoints, loginPages } from "./sign-in/routes";
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
