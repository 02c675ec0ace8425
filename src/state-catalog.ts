import { botStates } from "./bots/state";
import { channelFolderState } from "./channels/channel-folders/state";
import { channelsState, defaultChannelsState } from "./channels/state";
import { userTopicStates } from "./channels/user-topics/state";
import { deviceStates } from "./devices/registration/state";
import { userStateLoader } from "./management/accounts/state";
import { domainState } from "./management/domains/state";
import { realmStates } from "./management/organization/state";
import { playgroundState } from "./management/playgrounds/state";
import { profileFieldState } from "./management/profile-fields/state";
import { subscriptionsState } from "./management/subscriptions/state";
import { messageStates } from "./messages/state";
import { draftsState } from "./own/drafts/state";
import { mutedUserState } from "./own/muted-users/state";
import { navigationViewState } from "./own/navigation-views/state";
import { onboardingStepState } from "./own/onboarding-steps/state";
import { remindersState } from "./own/reminders/state";
import { savedSnippetsState } from "./own/saved-snippets/state";
import { scheduledMessagesState } from "./own/scheduled-messages/state";
import { alertWordState } from "./people/alert-words/state";
import { presenceState } from "./people/presence/state";
import { settingsStates } from "./people/settings/state";
import { statusState } from "./people/status/state";
import { userGroupStateLoader } from "./people/user-groups/state";
import { linkifierState } from "./realm/linkifiers/state";
import { realmEmojiState } from "./realm/realm-emoji/state";

/** The state that `register` answers, feature by feature. */
export const stateCatalog = [
  ...realmStates,
  ...settingsStates,
  userStateLoader,
  ...botStates,
  userGroupStateLoader,
  channelsState,
  defaultChannelsState,
  subscriptionsState,
  ...messageStates,
  ...userTopicStates,
  alertWordState,
  draftsState,
  savedSnippetsState,
  scheduledMessagesState,
  remindersState,
  linkifierState,
  realmEmojiState,
  domainState,
  channelFolderState,
  profileFieldState,
  navigationViewState,
  onboardingStepState,
  playgroundState,
  presenceState,
  statusState,
  mutedUserState,
  ...deviceStates,
];

/**
 * The keys of all features as one type, but for those that a feature computes, which TypeScript
 * knows nothing of.
 */
type Together<Keys> = (
  Keys extends unknown
    ? string extends keyof Keys
      ? never
      : (one: Keys) => void
    : never
) extends (all: infer All) => void
  ? All
  : never;

/** The keys of all features in the answer of `register`, with what stands there. */
export const stateKeys: Together<(typeof stateCatalog)[number]["keys"]> = Object.assign(
  {},
  ...stateCatalog.map(({ keys }) => keys),
);
