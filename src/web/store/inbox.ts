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

/** All unread conversations, in reading order. */
export const inbox = computed(() => inboxOf(features.value));

/** The number of unread messages that are not muted. */
export const inboxCount = computed(() => countOf(inbox.value.sections));

/** The number in the title of the page. */
export const titleCount = computed(() => titleCountOf(features.value));

/** The mark on the page's icon. */
export const iconMark = computed(() => iconMarkOf(features.value));
