import { type TProperties, Type } from "@sinclair/typebox";

/** Makes the part of `register`'s answer for a feature that has no data. */
export type EmptyState = () => Record<string, unknown>;

/**
 * The states of features that this server does not have, by fetch event type. They are empty for
 * every user, because nothing is stored. When a feature is built, its line is removed.
 */
export const emptyStates = {
  giphy: () => ({ giphy_api_key: "" }),
  realm_billing: () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
  realm_filters: () => ({ realm_filters: [] }),
  realm_incoming_webhook_bots: () => ({ realm_incoming_webhook_bots: [] }),
  stop_words: () => ({ stop_words: [] }),
  tenor: () => ({ tenor_api_key: "" }),
  video_calls: () => ({ has_zoom_token: false }),
} satisfies Record<string, EmptyState>;

const emptyList = Type.Array(Type.Unknown(), { maxItems: 0 });

/** The keys of these states. */
export const emptyStateKeys = {
  giphy_api_key: Type.String(),
  realm_billing: Type.Object({ has_pending_sponsorship_request: Type.Boolean() }),
  realm_filters: emptyList,
  realm_incoming_webhook_bots: emptyList,
  stop_words: emptyList,
  tenor_api_key: Type.String(),
  has_zoom_token: Type.Boolean(),
} satisfies TProperties;
