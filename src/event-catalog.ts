import * as channelFoldersEvents from "./channels/channel-folders/events";
import * as channelsEvents from "./channels/events";
import * as subscriptionsEvents from "./channels/subscription-events";
import * as userTopicsEvents from "./channels/user-topics/events";
import * as devicesEvents from "./devices/events";
import { type AnyEvent, isEventDefinition } from "./events/define";
import * as heartbeatEvents from "./events/heartbeat";
import * as domainsEvents from "./management/domains/events";
import * as playgroundsEvents from "./management/playgrounds/events";
import * as profileFieldsEvents from "./management/profile-fields/events";
import * as realmPicturesEvents from "./management/realm-pictures/events";
import * as contentEvents from "./messages/content/events";
import * as deleteEvents from "./messages/delete/events";
import * as flagsEvents from "./messages/flags/events";
import * as reactionsEvents from "./messages/reactions/events";
import * as sendEvents from "./messages/send/events";
import * as submessagesEvents from "./messages/submessages/events";
import * as typingEvents from "./messages/typing/events";
import * as exportEvents from "./moving/export/events";
import * as draftsEvents from "./own/drafts/events";
import * as mutedUsersEvents from "./own/muted-users/events";
import * as navigationViewsEvents from "./own/navigation-views/events";
import * as onboardingStepsEvents from "./own/onboarding-steps/events";
import * as remindersEvents from "./own/reminders/events";
import * as savedSnippetsEvents from "./own/saved-snippets/events";
import * as scheduledMessagesEvents from "./own/scheduled-messages/events";
import * as alertWordsEvents from "./people/alert-words/events";
import * as botsEvents from "./people/bots/events";
import * as invitationsEvents from "./people/invited/events";
import * as presenceEvents from "./people/presence/events";
import * as settingsEvents from "./people/settings/events";
import * as statusEvents from "./people/status/events";
import * as userGroupsEvents from "./people/user-groups/events";
import * as usersEvents from "./people/users/events";
import * as realmEvents from "./realm/events";
import * as linkifiersEvents from "./realm/linkifiers/events";
import * as realmEmojiEvents from "./realm/realm-emoji/events";
import * as uploadsEvents from "./uploads/events";

/** Every kind of event that a queue may bring, with its fields. */
export const eventCatalog: readonly AnyEvent[] = [
  alertWordsEvents,
  botsEvents,
  channelFoldersEvents,
  channelsEvents,
  contentEvents,
  deleteEvents,
  devicesEvents,
  domainsEvents,
  draftsEvents,
  exportEvents,
  flagsEvents,
  heartbeatEvents,
  invitationsEvents,
  linkifiersEvents,
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
  sendEvents,
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
