import { writeFileSync } from "node:fs";
import { strToU8, zipSync } from "fflate";

type Json = unknown;

/**
 * Writes what a workspace of Slack exports: a ZIP with JSON by channel and day. `more` adds entries
 * or replaces them; `base` are the others.
 */
export function writeSlackExport(
  path: string,
  more: Record<string, Json> = {},
  base: Record<string, Json> = workspace,
): void {
  const entries = { ...base, ...more };
  const packed = Object.entries(entries).map(([name, content]): [string, Uint8Array] => [
    name,
    content instanceof Uint8Array
      ? content
      : strToU8(typeof content === "string" ? content : JSON.stringify(content)),
  ]);
  writeFileSync(path, zipSync(Object.fromEntries(packed)));
}

const user = (id: string, name: string, more: object = {}) => ({
  id,
  name,
  deleted: false,
  is_bot: false,
  tz: "Europe/Berlin",
  updated: 1_600_000_000,
  profile: { real_name: name, display_name: name, email: `${name.toLowerCase()}@example.com` },
  ...more,
});

const says = (who: string, ts: string, text: string, more: object = {}) => ({
  type: "message",
  user: who,
  ts,
  text,
  ...more,
});

const channel = (id: string, name: string, members: string[], more: object = {}) => ({
  id,
  name,
  created: 1_599_000_000,
  creator: "U1",
  is_archived: false,
  is_general: false,
  members,
  topic: { value: "" },
  purpose: { value: `about ${name}` },
  ...more,
});

const workspace: Record<string, Json> = {
  "users.json": [
    user("U1", "Ann", { is_owner: true, is_primary_owner: true }),
    user("U2", "Ben", { is_admin: true }),
    user("U3", "Cid", { deleted: true }),
    user("U4", "Dot", { is_restricted: true }),
    user("U5", "Helper", { is_bot: true, profile: { real_name: "Helper", bot_id: "B1" } }),
    user("U6", "Ann2", { profile: { real_name: "Ann", email: "ann@example.com" } }),
  ],
  "channels.json": [
    channel("C1", "general", ["U1", "U2", "U3", "U4"], { is_general: true }),
    channel("C2", "old-stuff", ["U1"], { is_archived: true }),
  ],
  "groups.json": [channel("G1", "cellar", ["U1", "U2"])],
  "mpims.json": [
    { id: "G2", name: "mpdm-ann--ben--dot-1", created: 1_599_000_000, members: ["U1", "U2", "U4"] },
  ],
  "dms.json": [
    { id: "D1", created: 1_599_000_000, members: ["U1", "U2"] },
    { id: "D2", created: 1_599_000_000, members: ["U1"] },
  ],
  "integration_logs.json": [],
  "general/2020-09-14.json": [
    says(
      "U1",
      "1600081200.000100",
      "*Hi* <@U2|ben> &amp; _all_ in <#C2|old-stuff>, ~not~ `a *b* &lt;c&gt;` <https://example.com/?a=1&amp;b=2|a link>",
    ),
    {
      type: "message",
      subtype: "channel_join",
      user: "U2",
      ts: "1600081201.000200",
      text: "<@U2> has joined the channel",
    },
    says("U2", "1600081202.000300", "a question?", {
      thread_ts: "1600081202.000300",
      reply_count: 2,
      reactions: [
        { name: "+1", users: ["U1", "U4"], count: 2 },
        { name: "+1::skin-tone-3", users: ["U4", "U2"], count: 2 },
        { name: "mouse", users: ["U1"], count: 1 },
        { name: "pray", users: ["U1"], count: 1 },
        { name: "flag-de", users: ["U1"], count: 1 },
        { name: "party_parrot", users: ["U1"], count: 1 },
      ],
    }),
    says("U1", "1600081203.000400", "an answer :smile: :wave::skin-tone-3:", {
      thread_ts: "1600081202.000300",
      edited: { user: "U1", ts: "1600081300.000000" },
    }),
    says("U4", "1600081204.000500", "```\nif (a < b) *x*\n```after"),
    {
      type: "message",
      subtype: "bot_message",
      bot_id: "B9",
      username: "deployer",
      ts: "1600081205.000600",
      text: "deployed <!here>",
    },
    {
      type: "message",
      subtype: "bot_message",
      bot_id: "B1",
      ts: "1600081206.000700",
      text: "",
      attachments: [{ title: "Build", title_link: "https://ci.example.com/1", text: "passed" }],
    },
    says("U1", "1600081207.000800", "see", {
      files: [
        {
          id: "F1",
          name: "menu.txt",
          title: "Menu",
          url_private: "https://files.slack.com/F1/menu.txt",
          created: 1_600_081_207,
        },
        {
          id: "F2",
          name: "other.pdf",
          title: "Other",
          url_private: "https://files.slack.com/F2/other.pdf",
        },
        { id: "F3", mode: "tombstone" },
      ],
    }),
    says("U3", "1600081208.000900", "&gt; quoted\n• one\n• two"),
    "no message at all",
    says("U99", "1600081209.001000", "from nobody"),
    says("U1", "never", "without a time"),
  ],
  "general/2020-09-15.json": [
    says("U2", "1600167600.000100", "the next day, still in the thread", {
      thread_ts: "1600081202.000300",
    }),
    { ...says("U1", "1600167601.000200", "dances"), subtype: "me_message" },
  ],
  "cellar/2020-09-14.json": [says("U2", "1600081202.500000", "only for the cellar <!channel>")],
  "old-stuff/2019-01-01.json": [says("U1", "1546340400.000100", "the oldest")],
  "mpdm-ann--ben--dot-1/2020-09-15.json": [says("U4", "1600170000.000000", "three of us")],
  "D1/2020-09-15.json": [says("U1", "1600170001.000000", "two of us")],
  "D2/2020-09-15.json": [says("U1", "1600170002.000000", "note to self")],
  "general/2020-09-16.json": "{ this is no JSON",
  "elsewhere/2020-09-16.json": [says("U1", "1600250000.000000", "in no channel")],
  "__uploads/F1/menu.txt": "leek soup",
};
