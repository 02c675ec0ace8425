import { describe, expect, spyOn, test } from "bun:test";
import { topicPath } from "../../src/protocol/narrow-links";
import { topicKey } from "../../src/web/model/conversations";
import { applyMessages, type FlaggedMessage, type Messages } from "../../src/web/model/message";
import {
  belongs,
  type Names,
  type Narrow,
  readFragment,
  writeFragment,
} from "../../src/web/model/narrow";
import { isInGroup } from "../../src/web/model/permissions";
import { presencesFrom, withPresences } from "../../src/web/model/presence";
import { applyEvent, type Model, modelFrom } from "../../src/web/model/snapshot";
import { unreadByChannel, unreadInTopic } from "../../src/web/model/unread";
import type { Event, Register } from "../../src/web/model/wire";

const channels = new Map([
  [7, "general"],
  [8, "design & code"],
  [9, "2019 plans"],
  [10, "Größe 100% / v1.2"],
]);
const people = new Map([
  [4, "Alice"],
  [5, "Bob (he)"],
]);
const idOf = (map: Map<number, string>, name: string) =>
  [...map].find(([, one]) => one.toLowerCase() === name.toLowerCase())?.[0];
const names: Names = {
  channelName: (id) => channels.get(id),
  channelId: (name) => idOf(channels, name),
  personName: (id) => people.get(id),
  personId: (email) => ({ "alice@example.com": 4, "bob@example.com": 5 })[email],
};

const channel = (operand: number, negated = false) =>
  ({ operator: "channel", operand, negated }) as const;
const topic = (operand: string) => ({ operator: "topic", operand, negated: false }) as const;

describe("a fragment", () => {
  test.each<[string, Narrow]>([
    ["#narrow/channel/7-general", [channel(7)]],
    ["#narrow/channel/7", [channel(7)]],
    ["#narrow/stream/7-an-old-name/topic/lunch", [channel(7), topic("lunch")]],
    ["#narrow/stream/general/subject/lunch", [channel(7), topic("lunch")]],
    ["#narrow/stream/design.20.26.20code/topic/a.2Fb", [channel(8), topic("a/b")]],
    ["#narrow/stream/2019-plans", [channel(9)]],
    ["#narrow/-channel/7-general", [channel(7, true)]],
    ["#narrow/channel/7-general/topic/", [channel(7), topic("")]],
    ["#narrow/channel/7/topic/100.25", [channel(7), topic("100%")]],
    ["#narrow/channel/7/topic/v1.zip", [channel(7), topic("v1.zip")]],
    [
      "#narrow/channel/7/topic/x/near/12",
      [channel(7), topic("x"), { operator: "near", operand: 12, negated: false }],
    ],
    ["#narrow/pm-with/4-Alice", [{ operator: "dm", operand: [4], negated: false }]],
    ["#narrow/pm-with/5,4-group", [{ operator: "dm", operand: [4, 5], negated: false }]],
    ["#narrow/pm-with/bob@example.com", [{ operator: "dm", operand: [5], negated: false }]],
    ["#narrow/group-pm-with/4", [{ operator: "dm-including", operand: 4, negated: false }]],
    ["#narrow/from/alice.40example.2Ecom", [{ operator: "sender", operand: 4, negated: false }]],
    ["#narrow/is/private", [{ operator: "is", operand: "dm", negated: false }]],
    [
      "#narrow/group-pm-with/4,5-group",
      [
        { operator: "dm-including", operand: 4, negated: false },
        { operator: "dm-including", operand: 5, negated: false },
      ],
    ],
    ["#narrow/search/two+words", [{ operator: "search", operand: "two words", negated: false }]],
    ["#narrow/search/c.2B.2B", [{ operator: "search", operand: "c++", negated: false }]],
  ])("is understood: %s", (fragment, narrow) => {
    expect(readFragment(fragment, names)).toEqual(narrow);
  });

  test.each([
    "#inbox",
    "#narrow/moon/1",
    "#narrow/channel/nowhere",
    "#narrow/near/x",
    "#narrow/topic/.FF",
  ])("that is no narrow is told from one: %s", (fragment) =>
    expect(readFragment(fragment, names)).toBeUndefined(),
  );

  test("survives writing and reading, whatever names and topics hold", () => {
    const topics = [
      "",
      "a/b",
      "100%",
      "50%25",
      ".2F",
      "v1.2",
      "(x) 'y' !*",
      "✔ done",
      "日本語",
      "a+b c",
      "👩‍💻",
      "-",
    ];
    for (const [id, channelName] of channels)
      for (const name of topics) {
        const narrow = [channel(id), topic(name)];
        const fragment = writeFragment(narrow, names);
        expect(fragment).toMatch(/^#narrow\/[\w/.~,-]+$/);
        expect(readFragment(fragment, names)).toEqual(narrow);
        // Links that the server writes have this form.
        const path = topicPath({ id, name: channelName }, name);
        expect(readFragment(path, names)).toEqual(narrow);
      }
    const direct = [{ operator: "dm", operand: [4, 5], negated: false }] as const;
    expect(writeFragment(direct, names)).toBe("#narrow/dm/4,5-group");
    expect(readFragment(writeFragment(direct, names), names)).toEqual([...direct]);
  });
});

const me = 4;

const message = (id: number, more: Partial<FlaggedMessage> = {}): FlaggedMessage => ({
  id,
  sender_id: 5,
  content: "<p>hello</p>",
  content_type: "text/html",
  recipient_id: 1,
  timestamp: id,
  client: "test",
  subject: "lunch",
  topic_links: [],
  is_me_message: false,
  reactions: [],
  submessages: [],
  sender_full_name: "Bob",
  sender_email: "bob@example.com",
  sender_realm_str: "",
  display_recipient: "general",
  type: "stream",
  stream_id: 7,
  avatar_url: null,
  flags: [],
  ...more,
});

const direct = (id: number, ids: number[]) =>
  message(id, {
    type: "private",
    stream_id: undefined,
    subject: "",
    display_recipient: ids.map((one) => ({
      id: one,
      email: "",
      full_name: "",
      is_mirror_dummy: false,
    })),
  });

describe("a message", () => {
  const facts = { flags: ["read"], me, policy: 0, isMuted: false };
  const belongsTo = (one: FlaggedMessage, fragment: string, more = {}) =>
    belongs(one, readFragment(fragment, names) ?? [], { ...facts, ...more });

  test("belongs to its channel, its topic by any case, and its sender", () => {
    expect(belongsTo(message(1), "#narrow/channel/7/topic/LUNCH")).toBe(true);
    expect(belongsTo(message(1), "#narrow/channel/8")).toBe(false);
    expect(belongsTo(message(1), "#narrow/-channel/8/sender/5")).toBe(true);
    expect(belongsTo(message(1), "#narrow/channel/7/near/99")).toBe(true);
  });

  test("belongs to the direct conversation of exactly its people", () => {
    expect(belongsTo(direct(1, [4, 5]), "#narrow/dm/5")).toBe(true);
    expect(belongsTo(direct(1, [4, 5, 6]), "#narrow/dm/5")).toBe(false);
    expect(belongsTo(direct(1, [4, 5, 6]), "#narrow/dm-including/5")).toBe(true);
    expect(belongsTo(direct(1, [4]), "#narrow/dm/4")).toBe(true);
    expect(belongsTo(message(1), "#narrow/dm/5")).toBe(false);
  });

  test("belongs by its flags and its topic; where only the server knows, that is said", () => {
    expect(belongsTo(message(1), "#narrow/is/unread", { flags: [] })).toBe(true);
    expect(belongsTo(message(1), "#narrow/is/mentioned")).toBe(false);
    expect(belongsTo(message(1), "#narrow/is/followed", { policy: 3 })).toBe(true);
    expect(belongsTo(message(1), "#narrow/in/home", { isMuted: true })).toBe(false);
    expect(belongsTo(message(1), "#narrow/channel/7/search/x")).toBeUndefined();
    expect(belongsTo(message(1), "#narrow/channel/8/search/x")).toBe(false);
  });
});

/** A state with two channels and nothing unread: what the test needs of the whole. */
const register = {
  user_id: me,
  realm_users: [],
  realm_non_active_users: [],
  cross_realm_bots: [],
  realm_user_groups: [],
  subscriptions: [
    { stream_id: 7, name: "general", is_muted: false, subscriber_count: 2 },
    { stream_id: 8, name: "design", is_muted: false, subscriber_count: 2 },
  ],
  unsubscribed: [],
  never_subscribed: [],
  channel_folders: [],
  realm_default_streams: [],
  user_topics: [],
  unread_msgs: {
    count: 0,
    pms: [],
    huddles: [],
    streams: [],
    mentions: [],
    old_unreads_missing: false,
  },
  starred_messages: [],
  recent_private_conversations: [],
  muted_users: [],
  alert_words: [],
  drafts: [],
  saved_snippets: [],
  scheduled_messages: [],
  reminders: [],
  presences: {},
  user_status: {},
  realm_emoji: {},
  realm_playgrounds: [],
  custom_profile_fields: [],
  navigation_views: [],
  onboarding_steps: [],
  user_settings: {},
} as unknown as Register;

const sent = (one: FlaggedMessage, flags: string[] = []): Event => ({
  id: one.id,
  type: "message",
  message: one,
  flags,
});

const read = (messages: number[]): Event => ({
  id: 1,
  type: "update_message_flags",
  op: "add",
  operation: "add",
  flag: "read",
  messages,
  all: false,
});

/** The number of entries that are written into maps, including copies of them. */
function countEntries(act: () => void): number {
  const written = spyOn(Map.prototype, "set");
  act();
  const count = written.mock.calls.length;
  written.mockRestore();
  return count;
}

describe("a change of many rows copies their map once", () => {
  const ids = Array.from({ length: 100 }, (_, index) => 100 + index);
  const rows = ids.map((stream_id) => ({ stream_id, name: `${stream_id}`, subscriber_count: 1 }));
  const before = modelFrom({ ...register, never_subscribed: rows } as unknown as Register);
  const people = { stream_ids: ids, user_ids: [5] };

  test.each<[string, object]>([
    ["stream create", { type: "stream", op: "create", streams: rows }],
    ["subscription add", { type: "subscription", op: "add", subscriptions: rows }],
    ["subscription remove", { type: "subscription", op: "remove", subscriptions: rows }],
    ["peer_add", { type: "subscription", op: "peer_add", ...people }],
    ["peer_remove", { type: "subscription", op: "peer_remove", ...people }],
  ])("%s", (_, more) => {
    const event = { id: 1, ...more } as Event;
    expect(countEntries(() => applyEvent(before, event))).toBeLessThan(2_000);
  });

  test("messages that are marked as unread", () => {
    const flags = { type: "update_message_flags", op: "remove", operation: "remove" } as const;
    const details = ids.map((id) => [id, { type: "stream", stream_id: 7, topic: `${id % 50}` }]);
    const event = {
      ...flags,
      id: 1,
      flag: "read",
      messages: ids.toReversed(),
      message_details: Object.fromEntries(details),
    } as unknown as Event;
    let after = before;
    const count = countEntries(() => {
      after = applyEvent(before, event);
    });
    expect(count).toBeLessThan(200);
    expect(after.unread.topics.get(topicKey(7, "3"))?.ids).toEqual([103, 153]);
  });

  test("presences of people", () => {
    const presence = { active_timestamp: 1, idle_timestamp: 1 };
    const presences = Object.fromEntries(ids.map((id) => [id, presence]));
    const before = presencesFrom({ ...register, presences });
    const count = countEntries(() => {
      expect(withPresences(before, structuredClone(presences)).size).toBe(100);
    });
    expect(count).toBeLessThanOrEqual(200);
    expect(withPresences(before, {})).toBe(before);
  });
});

describe("a model", () => {
  const before = modelFrom(register);

  test("is the object it was where an event changes nothing", () => {
    const heartbeat: Event = { id: 1, type: "heartbeat" };
    expect(applyEvent(before, heartbeat)).toBe(before);
    expect(applyEvent(before, read([99]))).toBe(before);
    const quiet = { id: 1, type: "user_topic", stream_id: 7, topic_name: "x", last_updated: 1 };
    expect(applyEvent(before, { ...quiet, type: "user_topic", visibility_policy: 0 })).toBe(before);
    const unknown = { id: 1, type: "of_a_newer_server" } as unknown as Event;
    expect(applyEvent(before, unknown)).toBe(before);
  });

  test("is copied along the path to what is different, and nowhere else", () => {
    const update = { id: 1, type: "subscription", op: "update" } as const;
    const event: Event = { ...update, stream_id: 7, property: "is_muted", value: true };
    const after = applyEvent(before, event);
    expect(after.channels.get(7)).toMatchObject({ is_muted: true });
    expect(after.channels.get(8)).toBe(before.channels.get(8));
    expect(before.channels.get(7)).toMatchObject({ is_muted: false });
    const { channels: _, ...others } = after;
    for (const [name, value] of Object.entries(others))
      expect(value).toBe(before[name as keyof Model] as never);
    expect(applyEvent(after, event)).toBe(after);
  });

  test("counts unread messages over any history as a list of them does", () => {
    const random = randomOf(7);
    const pick = <One>(list: readonly One[]): One => list[random(list.length)] as One;
    let model: Model = before;
    const unread = new Map<number, { channelId: number; topic: string }>();
    for (let id = 1; id <= 2_000; id++) {
      const ids = [...unread.keys()];
      const chosen = ids.length === 0 ? [] : [pick(ids), pick(ids)];
      switch (random(5)) {
        case 0:
          model = applyEvent(model, read(chosen));
          for (const one of chosen) unread.delete(one);
          break;
        case 1: {
          const [one] = chosen;
          const place = one === undefined ? undefined : unread.get(one);
          if (one === undefined || !place || random(2) === 0) break;
          const to = { channelId: pick([7, 8]), topic: pick(["a", "A", "b"]) };
          model = applyEvent(model, moved(one, place, to));
          unread.set(one, to);
          break;
        }
        default: {
          const place = { channelId: pick([7, 8]), topic: pick(["a", "A", "b", "c"]) };
          const one = message(id, { stream_id: place.channelId, subject: place.topic });
          model = applyEvent(model, sent(one, random(9) === 0 ? ["read"] : []));
          if (model.unread.topics.get(topicKey(place.channelId, place.topic))?.ids.includes(id))
            unread.set(id, place);
        }
      }
    }
    expect(unread.size).toBeGreaterThan(100);
    const countOf = (isIt: (place: { channelId: number; topic: string }) => boolean) =>
      [...unread.values()].filter(isIt).length;
    for (const id of [7, 8]) {
      expect(unreadByChannel(model.unread, model).get(id)?.count).toBe(
        countOf(({ channelId }) => channelId === id),
      );
      for (const name of ["a", "b", "c"])
        expect(unreadInTopic(model.unread, id, name)).toBe(
          countOf((one) => one.channelId === id && one.topic.toLowerCase() === name),
        );
    }
    for (const { ids } of model.unread.topics.values())
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  test("knows who writes until the message has come", () => {
    const typing = {
      id: 1,
      type: "typing",
      op: "start",
      message_type: "stream",
      sender: { user_id: 5, email: "" },
      stream_id: 7,
      topic: "Lunch",
    } as const;
    const writing = applyEvent(before, typing);
    expect(writing.typing).toEqual(new Map([[topicKey(7, "lunch"), new Set([5])]]));
    expect(applyEvent(writing, typing)).toBe(writing);
    expect(applyEvent(writing, sent(message(1))).typing.size).toBe(0);
  });
});

/** Whole numbers below a bound, alike in each run. */
function randomOf(seed: number) {
  let state = seed;
  return (bound: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * bound);
  };
}

const moved = (
  id: number,
  from: { channelId: number; topic: string },
  to: { channelId: number; topic: string },
): Event => ({
  id,
  type: "update_message",
  user_id: 5,
  rendering_only: false,
  message_id: id,
  message_ids: [id],
  edit_timestamp: 1,
  stream_id: from.channelId,
  new_stream_id: to.channelId,
  orig_subject: from.topic,
  subject: to.topic,
  flags: [],
});

describe("messages that were loaded", () => {
  const messages: Messages = new Map([1, 2].map((id) => [id, message(id)]));

  test("change one by one, and stay the objects they were", () => {
    const reaction = {
      id: 1,
      type: "reaction",
      op: "add",
      message_id: 1,
      emoji_name: "tada",
      emoji_code: "1f389",
      reaction_type: "unicode_emoji",
      user_id: 5,
      user: { user_id: 5, email: "", full_name: "" },
    } as const;
    const after = applyMessages(messages, reaction);
    expect(after.get(1)?.reactions.map(({ emoji_name }) => emoji_name)).toEqual(["tada"]);
    expect(after.get(2)).toBe(messages.get(2) as FlaggedMessage);
    const undone = applyMessages(after, { ...reaction, op: "remove" });
    expect(undone.get(1)?.reactions).toEqual([]);
    expect(applyMessages(messages, { ...reaction, message_id: 99 })).toBe(messages);
  });

  test("take flags, moves and deletions", () => {
    const flagged = applyMessages(messages, read([1]));
    expect(flagged.get(1)?.flags).toEqual(["read"]);
    expect(applyMessages(flagged, read([1]))).toBe(flagged);
    const away = applyMessages(
      messages,
      moved(2, { channelId: 7, topic: "lunch" }, { channelId: 8, topic: "soup" }),
    );
    expect(away.get(2)).toMatchObject({ stream_id: 8, subject: "soup" });
    const gone: Event = {
      id: 1,
      type: "delete_message",
      message_type: "stream",
      stream_id: 7,
      topic: "lunch",
      message_ids: [1],
    };
    expect([...applyMessages(messages, gone).keys()]).toEqual([2]);
  });
});

test("somebody is in the groups that hold their group, also where groups hold each other", () => {
  const group = (id: number, members: number[], subgroups: number[]) => ({
    id,
    members: new Set(members),
    direct_subgroup_ids: new Set(subgroups),
  });
  const groups = new Map(
    [group(1, [], [2]), group(2, [], [3, 1]), group(3, [me], [])].map((one) => [one.id, one]),
  ) as unknown as Model["groups"];
  expect(isInGroup(groups, me, 1)).toBe(true);
  expect(isInGroup(groups, 5, 1)).toBe(false);
  expect(isInGroup(groups, me, 99)).toBe(false);
});
