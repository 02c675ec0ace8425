import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { requireTool } from "../support/processes/tools";
import {
  type Answers,
  contentsOf,
  findClient,
  namesOf,
  runScript,
  setupMilliseconds,
} from "./session";
import { preparePython } from "./setup";

const script = join(import.meta.dir, "zulip_client.py");
const hasTools = requireTool("make") && requireTool("python3");
/** The interpreter that has the package. */
const python = hasTools ? findClient("the Python package zulip", preparePython) : undefined;
let answers: Answers;

describe.skipIf(python === undefined)("the Python package zulip, unmodified,", () => {
  beforeAll(async () => {
    answers = await runScript(({ zuliprc, credentials }) => [
      python ?? "",
      script,
      zuliprc,
      credentials,
    ]);
  }, setupMilliseconds);

  test("is the pinned version, and each of its calls succeeds but those that have to be refused", () => {
    expect(answers.version).toBe("0.9.1");
    const failed = Object.keys(answers).filter(
      (name) => answers[name]?.result && answers[name].result !== "success",
    );
    expect(failed).toEqual(["send_to_nobody", "get_events_after"]);
    expect(answers.send_to_nobody).toMatchObject({
      code: "BAD_REQUEST",
      msg: expect.stringContaining("nobody@"),
    });
    expect(answers.get_events_after).toMatchObject({ code: "BAD_EVENT_QUEUE_ID" });
  });

  test("signs in with a zuliprc and learns who it is and what the server speaks", () => {
    expect(answers.get_profile).toMatchObject({
      email: "alice@example.com",
      full_name: "Alice",
      is_bot: false,
    });
    expect(answers.get_server_settings).toMatchObject({
      zulip_feature_level: 481,
      realm_name: "Acme",
    });
  });

  test("reads people and bots, by id and by e-mail too", () => {
    const emails = answers.get_members.members.map(({ email }: { email: string }) => email);
    expect(emails).toContain("robot-bot@example.com");
    expect(answers.get_users.members.length).toBe(emails.length);
    expect(answers.get_user_by_id.user).toMatchObject({
      email: "bob@example.com",
      full_name: "Bob",
    });
    expect(answers.get_user_by_email.user.user_id).toBe(answers.get_user_by_id.user.user_id);
  });

  test("reads channels, subscribes somebody to a new one and unsubscribes", () => {
    const alice = answers.get_profile.user_id;
    const bob = answers.get_user_by_id.user.user_id;
    expect(namesOf(answers.get_streams.streams)).toEqual(["core", "general", "random"]);
    expect(namesOf(answers.get_subscriptions.subscriptions)).toEqual(["core", "general", "random"]);
    expect(answers.get_stream_id.stream_id).toBeInteger();
    expect(answers.add_subscriptions.subscribed).toEqual({ [alice]: ["tea & cake"] });
    expect(answers.add_subscriptions_again.subscribed).toEqual({ [bob]: ["tea & cake"] });
    expect(answers.get_new_stream_id.stream_id).toBeGreaterThan(answers.get_stream_id.stream_id);
    expect(answers.remove_subscriptions).toMatchObject({
      removed: ["tea & cake"],
      not_removed: [],
    });
    expect(namesOf(answers.get_subscriptions_after.subscriptions)).toEqual([
      "core",
      "general",
      "random",
    ]);
  });

  test("sends to a channel by name and to people by e-mail and by id, and reads it with narrows in both formats", () => {
    expect(contentsOf(answers.get_messages)).toEqual(["**Soup** today", "I _am_ coming"]);
    expect(contentsOf(answers.get_messages_by_pairs)[0]).toBe("<p><strong>Soup</strong> today</p>");
    expect(contentsOf(answers.get_direct_messages).slice(0, 2)).toEqual([
      "<p>Soup?</p>",
      "<p>With bread?</p>",
    ]);
    expect(answers.get_stream_topics.topics).toEqual([
      { name: "lunch", max_id: answers.send_to_listener.id },
    ]);
  });

  test("stars a message and marks one as read", () => {
    const { id } = answers.send_to_channel;
    expect(answers.get_starred.messages).toMatchObject([
      { id, flags: expect.arrayContaining(["starred"]) },
    ]);
    expect(answers.mark_read.messages).toEqual([answers.send_to_email.id]);
    const isRead = ({ flags }: { flags: string[] }) => flags.includes("read");
    expect(answers.get_direct_messages.messages.slice(0, 2).map(isRead)).toEqual([true, false]);
  });

  test("hears in a thread what somebody else sends, reacts and types, in order", () => {
    const message = {
      id: answers.send_to_listener.id,
      sender_email: "bob@example.com",
      subject: "lunch",
    };
    expect(answers.heard_message.message).toMatchObject({
      ...message,
      type: "stream",
      content: "I _am_ coming",
    });
    const reaction = {
      message_id: answers.send_to_channel.id,
      emoji_name: "heart",
      emoji_code: "2764",
    };
    expect(answers.heard_reaction).toMatchObject({ ...reaction, op: "add" });
    expect(answers.heard_no_reaction).toMatchObject({ ...reaction, op: "remove" });
    expect(answers.heard_typing).toMatchObject({
      op: "start",
      sender: { email: "bob@example.com" },
    });
    expect(answers.heard_ids).toEqual(
      [...new Set<number>(answers.heard_ids)].sort((one, other) => one - other),
    );
  });

  test("registers, polls for what its narrow lets through, and ends its queue", () => {
    expect(answers.get_events.events).toMatchObject([
      { type: "message", message: { content: "<p>polled</p>" } },
    ]);
    expect(answers.register_for_everything.realm_users.length).toBe(
      answers.get_members.members.length,
    );
  });
});
