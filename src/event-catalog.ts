import * as alertWordsEvents from "./alert-words/events";
import * as botsEvents from "./bots/events";
import * as channelFoldersEvents from "./channel-folders/events";
import * as channelsEvents from "./channels/events";
import * as devicesEvents from "./devices/events";
import * as domainsEvents from "./domains/events";
import * as draftsEvents from "./drafts/events";
import { type AnyEvent, isEventDefinition } from "./events/define";
import * as heartbeatEvents from "./events/heartbeat";
import * as exportEvents from "./export/events";
import * as invitationsEvents from "./invitations/events";
import * as linkifiersEvents from "./linkifiers/events";
import * as messagesEvents from "./messages/events";
import * as mutedUsersEvents from "./muted-users/events";
import * as navigationViewsEvents from "./navigation-views/events";
import * as onboardingStepsEvents from "./onboarding-steps/events";
import * as playgroundsEvents from "./playgrounds/events";
import * as presenceEvents from "./presence/events";
import * as profileFieldsEvents from "./profile-fields/events";
import * as reactionsEvents from "./reactions/events";
import * as realmEvents from "./realm/events";
import * as realmEmojiEvents from "./realm-emoji/events";
import * as realmPicturesEvents from "./realm-pictures/events";
import * as remindersEvents from "./reminders/events";
import * as savedSnippetsEvents from "./saved-snippets/events";
import * as scheduledMessagesEvents from "./scheduled-messages/events";
import * as settingsEvents from "./settings/events";
import * as statusEvents from "./status/events";
import * as submessagesEvents from "./submessages/events";
import * as subscriptionsEvents from "./subscriptions/events";
import * as typingEvents from "./typing/events";
import * as uploadsEvents from "./uploads/events";
import * as userGroupsEvents from "./user-groups/events";
import * as userTopicsEvents from "./user-topics/events";
import * as usersEvents from "./users/events";

/** Every kind of event that a queue may bring, with its fields. */
export const eventCatalog: readonly AnyEvent[] = [
  alertWordsEvents,
  botsEvents,
  channelFoldersEvents,
  channelsEvents,
  devicesEvents,
  domainsEvents,
  draftsEvents,
  exportEvents,
  heartbeatEvents,
  invitationsEvents,
  linkifiersEvents,
  messagesEvents,
  mutedUsersEvents,
  navigationViewsEvents,
  onboardingStepsEvents,
  playgroundsEvents,
  presenceEvents,
  profileFieldsEvents,
  reactionsEvents,
  realmEmojiEvents,
  realmPicturesEvents,
  realmEvents,
  remindersEvents,
  savedSnippetsEvents,
  scheduledMessagesEvents,
  settingsEvents,
  statusEvents,
  submessagesEvents,
  subscriptionsEvents,
  typingEvents,
  uploadsEvents,
  userGroupsEvents,
  userTopicsEvents,
  usersEvents,
].flatMap((declared) => Object.values<unknown>(declared).filter(isEventDefinition));
