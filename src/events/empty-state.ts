/** What `register` answers for a feature that holds nothing. `now` is the UNIX time in seconds. */
export type EmptyState = (now: number) => Record<string, unknown>;

/** The kinds of custom profile fields (`spec/seed.md`, Resources), by the names that clients look them up with. */
const customProfileFieldTypes = {
  SHORT_TEXT: { id: 1, name: "Short text" },
  LONG_TEXT: { id: 2, name: "Paragraph" },
  SELECT: { id: 3, name: "Dropdown" },
  DATE: { id: 4, name: "Date" },
  URL: { id: 5, name: "Link" },
  USER: { id: 6, name: "Users" },
  EXTERNAL_ACCOUNT: { id: 7, name: "External account" },
  PRONOUNS: { id: 8, name: "Pronouns" },
};

/**
 * The true state, by fetch event type, of what this server does not have yet: nothing is stored of it, so every user sees it empty.
 * A feature that arrives takes its line out.
 */
export const emptyStates = {
  channel_folders: () => ({ channel_folders: [] }),
  custom_profile_fields: () => ({
    custom_profile_fields: [],
    custom_profile_field_types: customProfileFieldTypes,
  }),
  default_stream_groups: () => ({ realm_default_stream_groups: [] }),
  device: () => ({ devices: {} }),
  drafts: () => ({ drafts: [] }),
  giphy: () => ({ giphy_api_key: "" }),
  muted_users: () => ({ muted_users: [] }),
  navigation_views: () => ({ navigation_views: [] }),
  onboarding_steps: () => ({ onboarding_steps: [], navigation_tour_video_url: null }),
  presence: (now) => ({ presences: {}, presence_last_update_id: -1, server_timestamp: now }),
  realm_billing: () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
  realm_domains: () => ({ realm_domains: [] }),
  realm_embedded_bots: () => ({ realm_embedded_bots: [] }),
  realm_emoji: () => ({ realm_emoji: {} }),
  realm_filters: () => ({ realm_filters: [] }),
  realm_incoming_webhook_bots: () => ({ realm_incoming_webhook_bots: [] }),
  realm_linkifiers: () => ({ realm_linkifiers: [] }),
  realm_playgrounds: () => ({ realm_playgrounds: [] }),
  reminders: () => ({ reminders: [] }),
  saved_snippets: () => ({ saved_snippets: [] }),
  scheduled_messages: () => ({ scheduled_messages: [] }),
  stop_words: () => ({ stop_words: [] }),
  tenor: () => ({ tenor_api_key: "" }),
  user_status: () => ({ user_status: {} }),
  video_calls: () => ({ has_zoom_token: false }),
} satisfies Record<string, EmptyState>;
