import { computed } from "@preact/signals";
import { iconMarkOf } from "../model/icon-count";
import { countOf, inboxOf, titleCountOf } from "../model/inbox";
import { channels, mutedUsers, settings, unread, userTopics } from "./state";

const features = computed(() => ({
  unread: unread.value,
  channels: channels.value,
  userTopics: userTopics.value,
  mutedUsers: mutedUsers.value,
  settings: settings.value,
}));

/** All that is unread, in the order of reading. */
export const inbox = computed(() => inboxOf(features.value));

/** Number of the unread messages that are not muted. */
export const inboxCount = computed(() => countOf(inbox.value.sections));

/** Number in the title of the page. */
export const titleCount = computed(() => titleCountOf(features.value));

/** Mark of the page's icon. */
export const iconMark = computed(() => iconMarkOf(features.value));
