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
import { prepareZulipJs } from "./setup";

const script = join(import.meta.dir, "zulip-js/client.mjs");
/** It is made for Node: with Bun's own fetch it cannot send its forms. */
const hasTools = requireTool("make") && requireTool("node") && requireTool("npm");
/** The folder that has the package. */
const folder = hasTools ? findClient("the npm package zulip-js", prepareZulipJs) : undefined;
let answers: Answers;

const emailsOf = ({ members }: Answers) => members.map(({ email }: { email: string }) => email);

describe.skipIf(folder === undefined)("the npm package zulip-js, unmodified,", () => {
  beforeAll(async () => {
    answers = await runScript(({ zuliprc, site }) => ["node", script, folder ?? "", zuliprc, site]);
  }, setupMilliseconds);

  test("is the pinned version, and each of its calls succeeds but those that have to be refused", () => {
    expect(answers.version).toBe("2.1.0");
    const failed = Object.keys(answers).filter(
      (name) => answers[name]?.result && answers[name].result !== "success",
    );
    expect(failed).toEqual(["sendToNobody", "eventsAfter"]);
    expect(answers.sendToNobody).toMatchObject({
      code: "BAD_REQUEST",
      msg: expect.stringContaining("nobody@"),
    });
    expect(answers.eventsAfter).toMatchObject({ code: "BAD_EVENT_QUEUE_ID" });
  });

  test("signs in with a zuliprc or a password, and learns who it is and where", () => {
    expect(answers.settings).toMatchObject({ zulip_feature_level: 481, realm_name: "Acme" });
    expect(answers.profile).toMatchObject({
      email: "alice@example.com",
      full_name: "Alice",
      is_bot: false,
    });
    expect(emailsOf(answers.users)).toContain("robot-bot@example.com");
    expect(namesOf(answers.streams.streams)).toEqual(["core", "general", "random"]);
    expect(answers.streamId.stream_id).toBeInteger();
  });

  test("subscribes with a multipart form, unsubscribes and changes with parameters in the query", () => {
    const alice = answers.profile.user_id;
    expect(namesOf(answers.subscriptions.subscriptions)).toEqual(["core", "general", "random"]);
    expect(answers.subscribe).toMatchObject({ subscribed: { [alice]: ["tea & cake"] } });
    expect(answers.unsubscribe).toMatchObject({ removed: ["tea & cake"], not_removed: [] });
    expect(answers.changeSubscriptions).toMatchObject({
      subscribed: { [alice]: ["Küche"] },
      removed: ["random"],
    });
    expect(namesOf(answers.subscriptionsAfter.subscriptions)).toEqual(
      ["Küche", "core", "general"].sort(),
    );
  });

  test("sends to a channel and to people by id and by e-mail, and reads it with narrows", () => {
    expect(contentsOf(answers.messages)).toEqual(["**Soup** today"]);
    expect(contentsOf(answers.directMessages)).toEqual(["<p>Soup?</p>", "<p>With bread?</p>"]);
    expect(answers.topics.topics).toEqual([{ name: "lunch", max_id: answers.sendToChannel.id }]);
  });

  test("stars a message and reacts to it, and takes both back", () => {
    const { id } = answers.sendToChannel;
    expect(answers.starred.messages).toMatchObject([
      { id, flags: expect.arrayContaining(["starred"]) },
    ]);
    expect(answers.removeFlag.messages).toEqual([id]);
    expect(answers.withReaction.message.reactions).toMatchObject([
      { emoji_name: "heart", emoji_code: "2764" },
    ]);
  });

  test("polls a queue of its own, and ends it", () => {
    expect(answers.events.events).toMatchObject([
      { type: "message", message: { content: "polled" } },
    ]);
    expect(answers.deregister.result).toBe("success");
  });

  test("hears what somebody else sends and types, in order", () => {
    const heard: { id: number; type: string }[] = answers.heard;
    expect(heard[0]).toMatchObject({
      type: "message",
      message: { content: "knock", sender_email: "olga@example.com" },
    });
    expect(heard.at(-1)).toMatchObject({
      type: "typing",
      op: "start",
      sender: { email: "olga@example.com" },
    });
    const ids = heard.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
  });
});
