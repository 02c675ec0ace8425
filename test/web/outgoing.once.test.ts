import { describe, expect, test } from "bun:test";
import {
  afterRefusal,
  answered,
  isArrival,
  isStored,
  renewed,
  stepOf,
  tried,
  written,
} from "../../src/web/model/outgoing";
import { movedRecipient, recipientKey, recipientOf } from "../../src/web/model/recipient";
import type { Event } from "../../src/web/model/wire";

const message = written({
  localId: "1.2",
  queueId: "q1",
  recipient: { kind: "topic", channelId: 7, topic: "lunch" },
  content: "Soup?",
  writtenAt: 1_000,
  writtenAfter: 40,
});

const arrival = (more: object, id = 41) =>
  ({ type: "message", message: { id, sender_id: 1 }, flags: [], ...more }) as unknown as Event;

describe("a message on its way", () => {
  test("goes out by the page's queue, and once more only where its queue is known to live", () => {
    expect(stepOf(message, "q1")).toBe("send");
    expect(stepOf(tried(message), "q1")).toBe("ask");
    expect(stepOf(message, "q2")).toBe("ask");
    expect(stepOf(tried(message), "q2")).toBe("ask");
  });

  test("waits where asking again may help, and is refused where it is its own fault", () => {
    const after = (status: number, code = "") =>
      afterRefusal(tried(message), { status, code, message: "Because." }).standing.kind;
    expect([0, 401, 408, 429, 500, 502, 503].map((status) => after(status))).toEqual(
      Array(7).fill("waiting"),
    );
    expect([400, 403, 404, 413].map((status) => after(status))).toEqual(Array(4).fill("refused"));
    expect(after(403, "CSRF_FAILED")).toBe("waiting");
  });

  test("ends with the event that has its local id, or the id that was answered", () => {
    expect(isArrival(message, arrival({ local_message_id: "1.2" }))).toBe(true);
    expect(isArrival(message, arrival({ local_message_id: "1.3" }))).toBe(false);
    expect(isArrival(message, arrival({}))).toBe(false);
    expect(isArrival(answered(message, 41), arrival({}))).toBe(true);
    expect(isArrival(answered(message, 42), arrival({}))).toBe(false);
  });

  test("is found among newer messages of its sender with its very content", () => {
    const stored = { id: 41, sender_id: 1, content: "Soup?" };
    expect(isStored(message, stored, 1)).toBe(true);
    expect(isStored(message, { ...stored, id: 40 }, 1)).toBe(false);
    expect(isStored(message, { ...stored, sender_id: 2 }, 1)).toBe(false);
    expect(isStored(message, { ...stored, content: "Soup!" }, 1)).toBe(false);
  });

  test("that is sent anew has another name, because the first may have arrived", () => {
    const again = renewed(tried(message), { localId: "5.6", queueId: "q2" });
    expect(again).toEqual({ ...message, localId: "5.6", queueId: "q2" });
  });
});

describe("a recipient", () => {
  test("is complete with a channel or a person, and one conversation however it is written", () => {
    expect(recipientOf({ kind: "topic", channelId: undefined, topic: "x" })).toBeUndefined();
    expect(recipientOf({ kind: "direct", userIds: [] })).toBeUndefined();
    const topics = ["Lunch", "lunch"].map((topic) =>
      recipientKey({ kind: "topic", channelId: 7, topic }, 1),
    );
    expect(new Set(topics).size).toBe(1);
    expect(recipientKey({ kind: "direct", userIds: [3, 1, 2] }, 1)).toBe("2,3");
  });

  test("goes along with a topic that is moved as a whole, and with no other", () => {
    const target = { kind: "topic", channelId: 7, topic: "Lunch" } as const;
    const move = (more: object) =>
      movedRecipient(target, {
        type: "update_message",
        stream_id: 7,
        orig_subject: "lunch",
        subject: "dinner",
        propagate_mode: "change_all",
        ...more,
      } as unknown as Event);
    expect(move({})).toEqual({ kind: "topic", channelId: 7, topic: "dinner" });
    expect(move({ new_stream_id: 8 })).toEqual({ kind: "topic", channelId: 8, topic: "dinner" });
    expect(move({ subject: undefined, new_stream_id: 8 })).toEqual({
      kind: "topic",
      channelId: 8,
      topic: "lunch",
    });
    expect(move({ propagate_mode: "change_one" })).toBe(target);
    expect(move({ stream_id: 9 })).toBe(target);
    expect(move({ orig_subject: "other" })).toBe(target);
  });
});
