import { describe, expect, test } from "bun:test";
import { isGoWord } from "../../src/web/model/go-word";
import type { FlaggedMessage } from "../../src/web/model/message";
import { readFragment } from "../../src/web/model/narrow";
import { isNotable, type NotableModel, type Way } from "../../src/web/model/notable";
import { factsOfNotification, withMessageId } from "../../src/web/model/notification";
import { isElsewhere } from "../../src/web/model/presence";
import { type PushedMessage, pushedConversation, pushedFragment } from "../../src/web/model/pushed";

const [me, bob, carol] = [4, 5, 6];
const [muted, unmuted, followed] = [1, 2, 3];

const usual = {
  enable_desktop_notifications: true,
  enable_stream_desktop_notifications: false,
  enable_followed_topic_desktop_notifications: true,
  enable_sounds: true,
  enable_stream_audible_notifications: false,
  enable_followed_topic_audible_notifications: true,
  enable_followed_topic_wildcard_mentions_notify: true,
  wildcard_mentions_notify: true,
};

interface Case {
  settings?: Partial<typeof usual>;
  channel?: object;
  policy?: number;
  message?: Partial<FlaggedMessage>;
  way?: Way;
}

const isTold = ({ settings, channel, policy = 0, message, way = "desktop" }: Case): boolean => {
  const model = {
    me,
    settings: { ...usual, ...settings },
    channels: new Map([[7, { stream_id: 7, standing: "subscribed", is_muted: false, ...channel }]]),
    userTopics: new Map([["7:lunch", { visibility_policy: policy }]]),
    mutedUsers: new Map([[carol, 1]]),
  } as unknown as NotableModel;
  const sent = { sender_id: bob, stream_id: 7, subject: "Lunch", flags: [], ...message };
  return isNotable(sent, model, way);
};

const mention = { flags: ["mentioned"] };
const all = { flags: ["stream_wildcard_mentioned"] };
const alert = { flags: ["has_alert_word"] };
const direct = { stream_id: undefined };
const off = { enable_desktop_notifications: false };

describe("Alice is told", () => {
  const cases: [string, Case, boolean][] = [
    ["not of what does not concern her", {}, false],
    ["of a direct message", { message: direct }, true],
    ["not of one, where she has said so", { message: direct, settings: off }, false],
    ["not of her own messages", { message: { ...direct, sender_id: me } }, false],
    [
      "not of what is read already",
      { message: { ...mention, flags: ["mentioned", "read"] } },
      false,
    ],
    ["not of people whom she mutes", { message: { ...mention, sender_id: carol } }, false],
    ["of a mention", { message: mention }, true],
    ["of a mention in a muted topic too", { message: mention, policy: muted }, true],
    ["not of one, where she has said so", { message: mention, settings: off }, false],
    ["of everybody's mention", { message: all }, true],
    ["of the topic's", { message: { flags: ["topic_wildcard_mentioned"] } }, true],
    ["not of those in a muted topic", { message: all, policy: muted }, false],
    ["not of those in a muted channel", { message: all, channel: { is_muted: true } }, false],
    [
      "but in an unmuted topic of it",
      { message: all, channel: { is_muted: true }, policy: unmuted },
      true,
    ],
    [
      "not of those, where she has said so",
      { message: all, settings: { wildcard_mentions_notify: false } },
      false,
    ],
    [
      "not of those of a channel, by its own setting",
      { message: all, channel: { wildcard_mentions_notify: false } },
      false,
    ],
    [
      "but in a topic that she follows",
      { message: all, channel: { wildcard_mentions_notify: false }, policy: followed },
      true,
    ],
    ["of an alert word", { message: alert }, true],
    ["not of one in a muted topic", { message: alert, policy: muted }, false],
    ["of a topic that she follows", { policy: followed }, true],
    ["also where she wants no other", { policy: followed, settings: off }, true],
    [
      "not of it, where she has said so",
      { policy: followed, settings: { enable_followed_topic_desktop_notifications: false } },
      false,
    ],
    ["of a channel, by its own setting", { channel: { desktop_notifications: true } }, true],
    ["of all channels", { settings: { enable_stream_desktop_notifications: true } }, true],
    [
      "but not of one, by its own setting",
      {
        settings: { enable_stream_desktop_notifications: true },
        channel: { desktop_notifications: false },
      },
      false,
    ],
    ["not of its muted topics", { channel: { desktop_notifications: true }, policy: muted }, false],
    [
      "not of one that she has left",
      { channel: { desktop_notifications: true, standing: "unsubscribed" } },
      false,
    ],
    [
      "by sound by the settings of sounds",
      { way: "sound", channel: { audible_notifications: true, desktop_notifications: false } },
      true,
    ],
    [
      "not by sound, where she has said so",
      { way: "sound", message: direct, settings: { enable_sounds: false } },
      false,
    ],
  ];
  test.each(cases)("%s", (_, one, isItTold) => {
    expect(isTold(one)).toBe(isItTold);
  });
});

test("somebody is elsewhere who was active after this browser has told so, and not long ago", () => {
  const at = (active_timestamp: number) => ({ active_timestamp, idle_timestamp: active_timestamp });
  const isIt = (seen: number, toldAt: number) => isElsewhere(at(seen), toldAt, 1_000, 140);
  expect([isIt(990, 900), isIt(990, 990), isIt(800, 700)]).toEqual([true, false, false]);
  expect(isElsewhere(undefined, 0, 1_000, 140)).toBe(false);
});

describe("a push", () => {
  const names = {
    channelName: () => undefined,
    channelId: () => undefined,
    personName: () => undefined,
    personId: () => undefined,
  };
  const pushed = (more: object) =>
    ({ type: "message", user_id: me, message_id: 9, ...more }) as PushedMessage;

  const inGeneral = { recipient_type: "channel", channel_id: 7, channel_name: "general" };

  test("about the empty topic leads there, under the key that the page has for it", () => {
    const message = pushed({ ...inGeneral, topic: "general chat" });
    expect(pushedConversation(message)).toBe(
      pushedConversation(pushed({ ...inGeneral, topic: "" })),
    );
    expect(readFragment(pushedFragment(message), names)).toEqual([
      { operator: "channel", operand: 7, negated: false },
      { operator: "topic", operand: "", negated: false },
      { operator: "near", operand: 9, negated: false },
    ]);
  });

  test.each(["lunch", "1.0 / 2.0 (später)", "%41.41", "اجتماع", ""])(
    "leads to its message in the topic %p",
    (topic) => {
      const message = pushed({ ...inGeneral, topic });
      expect(readFragment(pushedFragment(message), names)).toEqual([
        { operator: "channel", operand: 7, negated: false },
        { operator: "topic", operand: topic, negated: false },
        { operator: "near", operand: 9, negated: false },
      ]);
    },
  );

  test("of a direct message leads there, under the key that the page has for it", () => {
    const message = pushed({ recipient_type: "direct", recipient_user_ids: [bob, me, carol] });
    expect(pushedConversation(message)).toBe("5,6");
    expect(readFragment(pushedFragment(message), names)).toEqual([
      { operator: "dm", operand: [5, 6], negated: false },
      { operator: "near", operand: 9, negated: false },
    ]);
  });
});

test("what is no notification of ours, and no word of the worker, is passed over", () => {
  for (const data of [null, undefined, 7, {}, { userId: "4" }, { userId: 4, fragment: "#" }])
    expect(factsOfNotification(data)).toBeUndefined();
  for (const word of [null, {}, { kind: "go" }, { kind: "go", fragment: "javascript:alert(1)" }])
    expect(isGoWord(word)).toBe(false);
  expect(withMessageId([1, 2], 1)).toEqual([2, 1]);
  expect(
    withMessageId(
      Array.from({ length: 200 }, (_, index) => index),
      900,
    ),
  ).toHaveLength(100);
});
