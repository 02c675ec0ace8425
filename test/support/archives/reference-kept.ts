/* Things that people of an export of the reference server keep beside their messages. */

const scheduled = (
  id: number,
  recipient: number,
  subject: string,
  content: string,
  more: object = {},
) => ({
  id,
  sender: 12,
  recipient,
  stream: null,
  subject,
  content,
  rendered_content: "<p>old</p>",
  sending_client: 3,
  scheduled_timestamp: 4_000_000_000,
  read_by_sender: true,
  delivered: false,
  failed: false,
  delivery_type: 1,
  ...more,
});

/** Tables of `realm.json`. */
export const keptThings = {
  zerver_userstatus: [
    {
      user_profile: 12,
      status_text: "in the kitchen",
      emoji_name: "tuffy",
      emoji_code: "51",
      reaction_type: "realm_emoji",
    },
    { user_profile: 14, status_text: "", emoji_name: "nobodys", reaction_type: "realm_emoji" },
    { user_profile: 13, status_text: "", emoji_name: "" },
    { user_profile: 99, status_text: "nobody's", emoji_name: "" },
  ],
  zerver_userpresence: [
    { user_profile: 12, last_active_time: 1_600_000_500.5, last_connected_time: 1_600_000_600 },
    { user_profile: 14, last_active_time: null, last_connected_time: null },
    { user_profile: 99, last_active_time: 1_600_000_500, last_connected_time: null },
  ],
  zerver_navigationview: [
    { id: 1, user: 12, fragment: "narrow/channel/31-general", is_pinned: true, name: "Kitchen" },
    { id: 2, user: 12, fragment: "inbox", is_pinned: false, name: null },
    { id: 3, user: 12, fragment: `narrow/search/${"x".repeat(500)}`, is_pinned: true, name: "All" },
    { id: 4, user: 99, fragment: "inbox", is_pinned: true, name: null },
  ],
  zerver_onboardingstep: [
    { user: 12, onboarding_step: "intro_inbox_view_modal" },
    { user: 99, onboarding_step: "intro_inbox_view_modal" },
  ],
  zerver_scheduledmessage: [
    scheduled(1, 231, "later", "in *time*", { scheduled_timestamp: 4_000_000_000 }),
    scheduled(2, 231, "later", "too late", { scheduled_timestamp: 1_600_000_000 }),
    scheduled(3, 111, "", "to Ann", { scheduled_timestamp: 4_000_000_000 }),
    scheduled(4, 231, "later", "sent", { delivered: true }),
    scheduled(7, 999, "later", "a reminder that was sent", { delivered: true, delivery_type: 2 }),
    scheduled(5, 231, "later", "a reminder", { delivery_type: 2 }),
    scheduled(6, 999, "later", "nowhere"),
  ],
  zerver_service: [{ id: 1, user_profile: 15, name: "x", base_url: "https://x.example/" }],
};
