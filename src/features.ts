import { botStorageFeature } from "./bots/bot-storage/feature";
import { embeddedBotFeature } from "./bots/embedded-bots/feature";
import { botFeature } from "./bots/feature";
import { incomingWebhookFeature } from "./bots/incoming-webhooks/feature";
import { outgoingWebhookFeature } from "./bots/outgoing-webhooks/feature";
import { channelFolderFeature } from "./channels/channel-folders/feature";
import { defaultChannelGroupFeature } from "./channels/default-channel-groups/feature";
import { userTopicFeature } from "./channels/user-topics/feature";
import { pushFeature } from "./devices/push/feature";
import { deviceFeature } from "./devices/registration/feature";
import { invitationFeature } from "./joining/invitations/feature";
import { registrationFeature } from "./joining/registration/feature";
import { mailFeature } from "./mail/feature";
import { userFeature } from "./management/accounts/feature";
import { auditLogFeature } from "./management/audit-log/feature";
import { channelFeature } from "./management/channels/feature";
import { domainFeature } from "./management/domains/feature";
import { userGroupFeature } from "./management/groups/feature";
import { linkifierFeature } from "./management/linkifiers/feature";
import { realmFeature } from "./management/organization/feature";
import { ownAccountFeature } from "./management/own-account/feature";
import { playgroundFeature } from "./management/playgrounds/feature";
import { profileFieldFeature } from "./management/profile-fields/feature";
import { realmEmojiFeature } from "./management/realm-emoji/feature";
import { realmPictureFeature } from "./management/realm-pictures/feature";
import { settingsFeature } from "./management/settings/feature";
import { subscriptionFeature } from "./management/subscriptions/feature";
import { callFeature } from "./messages/calls/feature";
import { messageFeature } from "./messages/feature";
import { reactionFeature } from "./messages/reactions/feature";
import { reportFeature } from "./messages/reports/feature";
import { searchFeature } from "./messages/search/feature";
import { submessageFeature } from "./messages/submessages/feature";
import { topicFeature } from "./messages/topics/feature";
import { typingFeature } from "./messages/typing/feature";
import { exportFeature } from "./moving/export/feature";
import { fixtureFeature } from "./moving/fixtures/feature";
import { draftFeature } from "./own/drafts/feature";
import { mutedUserFeature } from "./own/muted-users/feature";
import { navigationViewFeature } from "./own/navigation-views/feature";
import { onboardingStepFeature } from "./own/onboarding-steps/feature";
import { reminderFeature } from "./own/reminders/feature";
import { savedSnippetFeature } from "./own/saved-snippets/feature";
import { scheduledMessageFeature } from "./own/scheduled-messages/feature";
import { alertWordFeature } from "./people/alert-words/feature";
import { avatarFeature } from "./people/avatars/feature";
import { presenceFeature } from "./people/presence/feature";
import { statusFeature } from "./people/status/feature";
import { heartbeatFeature } from "./register/feature";
import { signInFeature } from "./sign-in/feature";
import { uploadFeature } from "./uploads/feature";
import { webPageFeature } from "./web-page/feature";

/**
 * All features of the server: the one list that its endpoints, pages, state, events, presenters,
 * jobs and background work are taken from. The API's description lists endpoints in this order.
 * Tidying follows it too: that of uploads comes last, because it may wait for a store elsewhere.
 */
export const features = [
  ownAccountFeature,
  signInFeature,
  registrationFeature,
  mailFeature,
  heartbeatFeature,
  messageFeature,
  searchFeature,
  reactionFeature,
  typingFeature,
  presenceFeature,
  statusFeature,
  mutedUserFeature,
  deviceFeature,
  pushFeature,
  topicFeature,
  userTopicFeature,
  alertWordFeature,
  draftFeature,
  savedSnippetFeature,
  scheduledMessageFeature,
  reminderFeature,
  submessageFeature,
  reportFeature,
  callFeature,
  subscriptionFeature,
  channelFeature,
  channelFolderFeature,
  defaultChannelGroupFeature,
  userGroupFeature,
  userFeature,
  avatarFeature,
  botFeature,
  botStorageFeature,
  incomingWebhookFeature,
  outgoingWebhookFeature,
  embeddedBotFeature,
  uploadFeature,
  realmFeature,
  invitationFeature,
  linkifierFeature,
  realmEmojiFeature,
  realmPictureFeature,
  domainFeature,
  profileFieldFeature,
  playgroundFeature,
  exportFeature,
  fixtureFeature,
  auditLogFeature,
  settingsFeature,
  navigationViewFeature,
  onboardingStepFeature,
  webPageFeature,
] as const;
