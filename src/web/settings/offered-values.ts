import type { OwnSettings } from "../store/own-settings";
import type { settings } from "../words/en/settings";

type ChoiceNames = keyof (typeof settings)["choices"];

/**
 * The values that the page offers for each setting with several values, in the order of its list.
 */
export const offeredValues: { readonly [Name in ChoiceNames]: readonly OwnSettings[Name][] } = {
  automatically_follow_topics_policy: [1, 2, 3, 4],
  automatically_unmute_topics_in_muted_streams_policy: [1, 2, 3, 4],
  color_scheme: [1, 3, 2],
  desktop_icon_count_display: [1, 2, 3, 4],
  email_address_visibility: [1, 2, 5, 3, 4],
  email_notifications_batching_period_seconds: [
    120, 300, 600, 1_800, 3_600, 21_600, 86_400, 604_800,
  ],
  realm_name_in_email_notifications_policy: [1, 2, 3],
  web_font_size_px: [12, 14, 16, 18, 20, 24],
  web_home_view: ["inbox", "recent", "all_messages"],
  web_line_height_percent: [122, 140, 160, 180],
  web_mark_read_on_scroll_policy: [1, 2, 3],
};
