import { computed } from "@preact/signals";
import { iconMarkOf } from "../model/icon-count";
import { countOf, inboxOf, titleCountOf } from "../model/inbox";
import { channels, mutedUsers, settings, unread, userTopics } from "./state";

/** All unread conversations, in reading order. */
export const inbox = computed(() =>
  inboxOf({
    unread: unread.value,
    channels: channels.value,
    userTopics: userTopics.value,
    mutedUsers: mutedUsers.value,
  }),
);

/** The number of unread messages that are not muted. */
export const inboxCount = computed(() => countOf(inbox.value.sections));

const countSetting = computed(() => settings.value.desktop_icon_count_display);

/** The number in the title of the page. */
export const titleCount = computed(() =>
  titleCountOf(inbox.value, countSetting.value, unread.value.mentions),
);

/** The mark on the page's icon. */
export const iconMark = computed(() =>
  iconMarkOf(inbox.value, countSetting.value, titleCount.value),
);
