import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { makeHeader, paddingOf } from "../../../src/moving/backup/tar";
import { movingGif, staticPng } from "../pictures";
import { keptThings } from "./reference-kept";

type Json = unknown;

/**
 * Writes what a reference server exports: a tar.gz with its tables as JSON. `more` adds entries or
 * replaces them.
 */
export function writeReferenceExport(
  path: string,
  more: Record<string, Json> = {},
  folder = "export-1/",
): void {
  const pieces: Uint8Array[] = [];
  for (const [name, content] of Object.entries({ ...entries, ...more })) {
    const bytes =
      content instanceof Uint8Array
        ? content
        : Buffer.from(typeof content === "string" ? content : JSON.stringify(content));
    pieces.push(
      makeHeader({ name: `${folder}${name}`, sizeBytes: bytes.byteLength }, 0),
      bytes,
      Buffer.alloc(paddingOf(bytes.byteLength)),
    );
  }
  writeFileSync(path, gzipSync(Buffer.concat([...pieces, Buffer.alloc(1_024)])));
}

const person = (id: number, full_name: string, role: number, more: object = {}) => ({
  id,
  full_name,
  role,
  is_active: true,
  is_bot: false,
  bot_type: null,
  bot_owner: null,
  timezone: "",
  email: `user${id}@there.example.net`,
  delivery_email: `${full_name.toLowerCase()}@example.com`,
  date_joined: 1_600_000_000.5,
  twenty_four_hour_time: true,
  color_scheme: 2,
  resolved_topic_notice_auto_read_policy: 1,
  avatar_source: "G",
  ...more,
});

const channel = (id: number, name: string, more: object = {}) => ({
  id,
  name,
  realm: 5,
  invite_only: false,
  history_public_to_subscribers: true,
  is_web_public: false,
  description: `about ${name}`,
  rendered_description: "<p>old</p>",
  date_created: 1_600_000_001,
  deactivated: false,
  creator: 11,
  can_administer_channel_group: 72,
  message_retention_days: null,
  ...more,
});

const subscription = (user_profile: number, recipient: number, more: object = {}) => ({
  user_profile,
  recipient,
  active: true,
  is_muted: false,
  color: "#c2c2c2",
  pin_to_top: false,
  desktop_notifications: null,
  email_notifications: null,
  push_notifications: null,
  ...more,
});

const message = (
  id: number,
  sender: number,
  recipient: number,
  subject: string,
  content: string,
  more: object = {},
) => ({
  id,
  sender,
  recipient,
  subject,
  content,
  rendered_content: "<p>old</p><script>x</script>",
  sending_client: 3,
  date_sent: 1_600_000_100 + id,
  last_edit_time: null,
  edit_history: null,
  ...more,
});

const filePath = "5/ab/AbCdEfGhIjKlMnOpQrStUvWx/menu.txt";

/** Tables of `realm.json`. */
export const exportedRealm: Record<string, Json> = {
  zerver_realm: [
    {
      id: 5,
      string_id: "there",
      name: "There",
      host: "there.example.net",
      date_created: 1_599_999_999,
      description: "from there",
      invite_required: false,
      waiting_period_threshold: 7,
      topics_policy: 3,
      unknown_setting: 1,
      new_stream_announcements_stream: 31,
      can_create_groups: 71,
      can_create_public_channel_group: 75,
    },
  ],
  zerver_realmuserdefault: [
    { id: 5, realm: 5, email_address_visibility: 4, enter_sends: true, enable_login_emails: false },
  ],
  zerver_userprofile: [
    person(11, "Ann", 100),
    person(12, "Ben", 400),
    person(13, "Cid", 600, { is_active: false }),
    person(14, "Dot", 400),
    person(15, "Helper", 400, {
      is_bot: true,
      bot_type: 2,
      bot_owner: 12,
      delivery_email: "helper-bot@there.example.net",
    }),
  ],
  zerver_userprofile_mirrordummy: [],
  zerver_userprofile_crossrealm: [
    { id: 2, email: "notification-bot@zulip.com" },
    { id: 3, email: "emailgateway@zulip.com" },
  ],
  zerver_client: [{ id: 3, name: "website" }],
  zerver_stream: [
    channel(31, "general", { folder: 61, topics_policy: 2 }),
    channel(32, "cellar", { invite_only: true, history_public_to_subscribers: false }),
    channel(33, "old stuff", { deactivated: true }),
  ],
  zerver_channelfolder: [
    {
      id: 61,
      name: "Work",
      description: "**all**",
      order: 0,
      is_archived: false,
      creator: 11,
      date_created: 1_600_000_000,
    },
  ],
  zerver_defaultstream: [{ id: 1, stream: 31 }],
  zerver_recipient: [
    ...[11, 12, 13, 14, 15].map((id) => ({ id: 100 + id, type: 1, type_id: id })),
    ...[31, 32, 33].map((id) => ({ id: 200 + id, type: 2, type_id: id })),
    { id: 301, type: 3, type_id: 41 },
  ],
  zerver_huddle: [{ id: 41, huddle_hash: "x", group_size: 3 }],
  zerver_subscription: [
    ...[11, 12, 13, 14].map((id) =>
      subscription(id, 231, id === 12 ? { color: "#ff0000", is_muted: true } : {}),
    ),
    subscription(11, 232),
    subscription(12, 232),
    subscription(14, 231),
    subscription(11, 233),
    ...[11, 12, 14].map((id) => subscription(id, 301)),
    subscription(11, 111),
  ],
  zerver_usergroup: [71, 72, 73, 74, 75].map((id) => ({ id })),
  zerver_namedusergroup: [
    {
      usergroup_ptr: 71,
      name: "role:moderators",
      is_system_group: true,
      description: "",
      deactivated: false,
    },
    {
      usergroup_ptr: 72,
      name: "cooks",
      is_system_group: false,
      description: "they cook",
      creator: 11,
      deactivated: false,
      can_mention_group: 73,
    },
    {
      usergroup_ptr: 73,
      name: "role:everyone",
      is_system_group: true,
      description: "",
      deactivated: false,
    },
    {
      usergroup_ptr: 74,
      name: "kitchen",
      is_system_group: false,
      description: "",
      creator: 11,
      deactivated: false,
    },
  ],
  zerver_usergroupmembership: [
    { user_group: 72, user_profile: 11 },
    { user_group: 72, user_profile: 12 },
    { user_group: 75, user_profile: 12 },
  ],
  zerver_groupgroupmembership: [{ supergroup: 74, subgroup: 72 }],
  zerver_realmemoji: [
    { id: 51, name: "tuffy", file_name: "51.png", author: 11, deactivated: false },
    {
      id: 52,
      name: "dance",
      file_name: "52.gif",
      author: 11,
      deactivated: false,
      is_animated: true,
    },
    { id: 53, name: "lost", file_name: "53.png", author: 11, deactivated: false },
  ],
  zerver_realmfilter: [
    {
      id: 1,
      pattern: "#(?P<id>[0-9]+)",
      url_template: "https://tickets.example.com/{id}",
      order: 0,
    },
    { id: 2, pattern: "(?P<bad>[", url_template: "https://tickets.example.com/{bad}", order: 1 },
  ],
  zerver_realmdomain: [{ id: 1, domain: "Example.com", allow_subdomains: true }],
  zerver_realmplayground: [
    {
      id: 1,
      name: "Try",
      pygments_language: "Python",
      url_template: "https://p.example.com/{code}",
    },
  ],
  zerver_customprofilefield: [
    { id: 81, field_type: 1, name: "Food", hint: "", field_data: "", order: 1 },
    { id: 82, field_type: 6, name: "Friends", hint: "", field_data: "", order: 2 },
  ],
  zerver_customprofilefieldvalue: [
    { user_profile: 11, field: 81, value: "soup" },
    { user_profile: 11, field: 82, value: "[12, 14]" },
  ],
  zerver_usertopic: [
    {
      user_profile: 12,
      stream: 31,
      topic_name: "soup",
      visibility_policy: 3,
      last_updated: 1_600_000_200,
    },
  ],
  zerver_muteduser: [{ user_profile: 12, muted_user: 14, date_muted: 1_600_000_200 }],
  zerver_alertword: [{ user_profile: 12, word: "Leek" }],
  ...keptThings,
  zerver_reaction: [
    {
      message: 1_001,
      user_profile: 12,
      emoji_name: "smile",
      emoji_code: "1f604",
      reaction_type: "unicode_emoji",
    },
    {
      message: 1_001,
      user_profile: 11,
      emoji_name: "tuffy",
      emoji_code: "51",
      reaction_type: "realm_emoji",
    },
    {
      message: 1_001,
      user_profile: 11,
      emoji_name: "folded_hands",
      emoji_code: "1f64f",
      reaction_type: "unicode_emoji",
    },
    {
      message: 1_001,
      user_profile: 12,
      emoji_name: "zulip",
      emoji_code: "zulip",
      reaction_type: "zulip_extra_emoji",
    },
    {
      message: 1_001,
      user_profile: 11,
      emoji_name: "lost",
      emoji_code: "53",
      reaction_type: "realm_emoji",
    },
  ],
};

const keeps = (user_profile: number, ...messages: [message: number, flags_mask: number][]) =>
  messages.map(([one, flags_mask]) => ({ user_profile, message: one, flags_mask }));

const entries: Record<string, Json> = {
  "realm.json": exportedRealm,
  "messages-000001.json": {
    zerver_message: [
      message(
        1_001,
        11,
        231,
        "soup",
        `@**Ben|12** @*cooks* see [menu](/user_uploads/${filePath}) #12 :tuffy: #**general>soup**`,
      ),
      message(
        1_002,
        12,
        231,
        "soup",
        "@_**Ann|11** [said](http://there.example.net/#narrow/channel/31-general/topic/soup/near/1001):\n```quote\nhi\n```",
        {
          last_edit_time: 1_600_002_000,
          edit_history: JSON.stringify([
            { user_id: 12, timestamp: 1_600_001_600, prev_topic: "stew", topic: "soup" },
            {
              user_id: 12,
              timestamp: 1_600_001_500,
              prev_content: "first **words**",
              prev_rendered_content: "<p>old</p>",
            },
          ]),
        },
      ),
      message(1_003, 11, 232, "hidden", "before Ben came"),
      message(1_004, 11, 232, "hidden", "after Ben came ![lost](/user_uploads/2/zz/lost.png)"),
      message(1_005, 2, 231, "channel events", "a notice"),
    ],
    zerver_usermessage: [
      ...keeps(11, [1_001, 1], [1_002, 1 | 2], [1_003, 1], [1_004, 1], [1_006, 1]),
      ...keeps(12, [1_001, 8], [1_002, 1], [1_004, 0], [1_006, 1]),
      ...keeps(14, [1_001, 1], [1_002, 0]),
    ],
  },
  "messages-000002.json": {
    zerver_message: [
      message(1_006, 11, 112, "", "only to Ben"),
      message(1_007, 14, 301, "\u0007", "three of us"),
      message(1_008, 11, 111, "", "note to self"),
      message(1_009, 99, 231, "soup", "from nobody"),
      message(1_010, 11, 999, "soup", "to nowhere"),
      { ...message(1_011, 11, 231, "soup", ""), content: null },
      message(1_012, 11, 233, "old", "archived"),
    ],
    zerver_usermessage: [
      ...keeps(11, [1_007, 0], [1_008, 1]),
      ...keeps(12, [1_007, 1]),
      ...keeps(14, [1_007, 1]),
    ],
  },
  "attachment.json": {
    zerver_attachment: [
      {
        id: 91,
        file_name: "menu.txt",
        path_id: filePath,
        owner: 11,
        messages: [1_001],
        create_time: 1_600_000_090,
        size: 9,
      },
      {
        id: 92,
        file_name: "gone.txt",
        path_id: "5/cd/gone/gone.txt",
        owner: 11,
        messages: [],
        create_time: 1,
        size: 4,
      },
    ],
  },
  "uploads/records.json": [{ path: filePath, user_profile_id: 11, size: 9 }],
  [`uploads/${filePath}`]: "leek soup",
  "avatars/records.json": [{ path: "5/aabb.original", user_profile_id: 11 }],
  "avatars/5/aabb.original": staticPng,
  "emoji/records.json": [],
  "emoji/5/emoji/images/51.png": staticPng,
  "emoji/5/emoji/images/52.gif": movingGif,
};
