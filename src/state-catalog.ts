import { alertWordState } from "./alert-words/state";
import { botStates } from "./bots/state";
import { channelFolderState } from "./channel-folders/state";
import { channelsState, defaultChannelsState } from "./channels/state";
import { deviceStates } from "./devices/state";
import { domainState } from "./domains/state";
import { draftsState } from "./drafts/state";
import { linkifierState } from "./linkifiers/state";
import { messageStates } from "./messages/state";
import { mutedUserState } from "./muted-users/state";
import { navigationViewState } from "./navigation-views/state";
import { onboardingStepState } from "./onboarding-steps/state";
import { playgroundState } from "./playgrounds/state";
import { presenceState } from "./presence/state";
import { profileFieldState } from "./profile-fields/state";
import { realmStates } from "./realm/state";
import { realmEmojiState } from "./realm-emoji/state";
import { remindersState } from "./reminders/state";
import { savedSnippetsState } from "./saved-snippets/state";
import { scheduledMessagesState } from "./scheduled-messages/state";
import { settingsStates } from "./settings/state";
import { statusState } from "./status/state";
import { subscriptionsState } from "./subscriptions/state";
import { userGroupStateLoader } from "./user-groups/state";
import { userTopicStates } from "./user-topics/state";
import { userStateLoader } from "./users/state";

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
