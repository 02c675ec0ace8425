import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { clientOf, readCredentials } from "../cli/chatd";
import type { Client } from "../support/client";
import { requireTool } from "../support/processes/tools";
import { findClient, serveOrganization, setupMilliseconds, writeZuliprc } from "./session";
import { prepareZulipTerm } from "./setup";
import { Terminal } from "./terminal";

const hasTools = requireTool("make") && requireTool("python3") && requireTool("tmux");
/** The interpreter that has the package. */
const python = hasTools ? findClient("the Python package zulip-term", prepareZulipTerm) : undefined;
const settings =
  "[zterm]\ntheme=zt_dark\nnotify=disabled\nautohide=no_autohide\ncolor-depth=16\nexit_confirmation=disabled\n";
const sessionMilliseconds = 2 * setupMilliseconds;

/** Screens that Alice has seen, by the step of her session. */
const screens: Record<string, string> = {};
/**
 * Messages that others read through the API at the end: message contents, and the emoji on them.
 */
let stored: { content: string; emoji: string[] }[] = [];
let serverLog = "";
let complaints = "";
let terminal: Terminal | undefined;

const shown = (text: string) => new RegExp(`▒ ${text}`);
/**
 * The program's own race: a thread of it for presence may draw before its screen is there (its
 * core.py, update_screen).
 */
const ownRace =
  /^Exception in thread Thread-\d+ \(\w+\):\n(?: .*\n|Traceback .*\n)+ .*, in update_screen\n(?: .*\n)+AssertionError\n/gm;

/** Complaints of other things. One of its threads may write into what another is writing. */
function withoutOwnRace(complaints: string): string {
  const others = complaints.replace(ownRace, "");
  return others === complaints ? others : withoutOwnRace(others);
}

/**
 * The first screen. Where two threads of the program draw it at once it is shifted, until `C-l`.
 */
const drawnWhole = /^.*Alice \(alice@example\.com\) - Acme(?:.|\n)*▒ Psst, Alice/;
const compose = /# general +▶ lunch +│?$/m;

const say = async (bob: Client, topic: string, content: string) =>
  (
    await bob.post("/messages", {
      type: "channel",
      to: topic === "lunch" ? "general" : "random",
      topic,
      content,
    })
  ).body.id;

/** A message of hers, one that arrives, emoji and edits of both. */
async function converse(bob: Client, screen: Terminal) {
  screen.press("Right", "r");
  await screen.see(compose);
  screen.type("Hello from the terminal");
  screen.press("C-d");
  screens["sent"] = await screen.see(shown("Hello from the terminal"));
  screen.press("Escape");
  await screen.see(compose, false);
  const live = await say(bob, "lunch", "Live from Bob");
  screens["received"] = await screen.see(shown("Live from Bob"));
  screen.press("+");
  screens["reacted"] = await screen.see(/:thumbs_up: You/);
  await bob.post(`/messages/${live}/reactions`, { emoji_name: "tada" });
  screens["reactionArrived"] = await screen.see(/:tada: Bob/);
  screen.press("Down", "Down", "Down", "e");
  await screen.see(/Also change later messages/);
  screen.press("C-e");
  screen.type(", edited");
  screen.press("C-d");
  screens["edited"] = await screen.see(shown("Hello from the terminal, edited"));
  await bob.patch(`/messages/${live}`, { content: "Live from Bob, corrected" });
  screens["editArrived"] = await screen.see(shown("Live from Bob, corrected"));
}

/**
 * Alice looks around by searching, in her direct messages, and in the one with Bob while he types.
 */
async function lookAround(bob: Client, screen: Terminal) {
  screen.press("/");
  screen.type("umbrella");
  screen.press("Enter");
  screens["found"] = await screen.see(/Search Results/);
  screen.press("P");
  screens["direct"] = await screen.see(/All private messages/);
  screen.press("z");
  screens["conversation"] = await screen.see(/Private conversation/);
  const { body } = await bob.get("/users/alice@example.com");
  await bob.post("/typing", { op: "start", to: [body.user.user_id] });
  screens["typing"] = await screen.see(/is typing/);
}

/**
 * Alice's queue ends, because her account was deactivated for a moment. Messages that are sent
 * before she has registered again are missed, so Bob sends one again and again.
 */
async function loseQueue(owner: Client, bob: Client, screen: Terminal) {
  const { body } = await owner.get("/users/alice@example.com");
  const place = `/users/${body.user.user_id}`;
  expect((await owner.delete(place)).status).toBe(200);
  expect((await owner.post(`${place}/reactivate`)).status).toBe(200);
  screens["registeredAgain"] = await screen.seeInTime(shown("After the end"), () =>
    bob.post("/messages", {
      type: "direct",
      to: ["alice@example.com"],
      content: "After the end",
    }),
  );
}

describe.skipIf(python === undefined)("zulip-term, unmodified, in a terminal", () => {
  beforeAll(async () => {
    const { folder, credentials, server } = await serveOrganization();
    const [owner, bob] = ["olga", "bob"].map((name) =>
      clientOf(server.site, readCredentials(credentials), name),
    ) as [Client, Client];
    await bob.post("/users/me/presence", { status: "active" });
    await say(bob, "lunch", "Soup **today**?");
    await say(bob, "weather", "It rains, see `umbrella`");
    await bob.post("/messages", {
      type: "direct",
      to: ["alice@example.com"],
      content: "Psst, Alice",
    });
    const zuliprc = writeZuliprc(folder, credentials, settings);
    const screen = new Terminal(folder, [
      python ?? "",
      "-m",
      "zulipterminal.cli.run",
      "--config-file",
      zuliprc,
    ]);
    terminal = screen;
    if (!drawnWhole.test(await screen.see(shown("Psst, Alice")))) screen.press("C-l");
    screens["started"] = await screen.see(drawnWhole);
    await converse(bob, screen);
    await lookAround(bob, screen);
    const { body } = await bob.get("/messages", {
      anchor: "oldest",
      num_before: 0,
      num_after: 10,
      apply_markdown: false,
    });
    stored = body.messages.map(({ content, reactions }: (typeof body.messages)[number]) => ({
      content,
      emoji: reactions.map(({ emoji_name }: { emoji_name: string }) => emoji_name),
    }));
    await loseQueue(owner, bob, screen);
    screen.press("C-c");
    await screen.ended();
    complaints = screen.complaints();
    serverLog = server.log();
    expect(await server.stop()).toBe(0);
  }, sessionMilliseconds);

  afterAll(() => terminal?.close());

  test("starts, and shows channels, messages with their markup, unread counts and who is there", () => {
    const screen = screens["started"] ?? "";
    expect(screen).toContain("Alice (alice@example.com) - Acme (http://localhost:");
    for (const line of [
      / P core /,
      / # general +1 /,
      / # random +1 /,
      /All messages +\[a\] +3 /,
      /Private messages \[P\] +1 /,
    ])
      expect(screen).toMatch(line);
    for (const line of [
      /general ▶ +lunch/,
      /random ▶ +weather/,
      /You and Bob/,
      /▒ Soup today\?/,
      /▒ It rains, see umbrella/,
    ])
      expect(screen).toMatch(line);
    expect(screen).toMatch(/● Alice +\(you\)/);
    expect(screen).toMatch(/● Bob/);
  });

  test("sends a message, which comes back to it, and receives what another person sends", () => {
    expect(screens["sent"]).toMatch(/● Alice .*\n.*▒ Hello from the terminal/);
    expect(screens["received"]).toMatch(/● Bob .*\n.*▒ Live from Bob/);
  });

  test("reacts, and shows the reactions of others", () => {
    expect(screens["reacted"]).toMatch(/▒ Soup today\?.*\n.*:thumbs_up: You/);
    expect(screens["reactionArrived"]).toMatch(/▒ Live from Bob.*\n.*:tada: Bob/);
  });

  test("edits a message, and shows the edits of others", () => {
    expect(screens["edited"]).toMatch(/EDITED ▒ Hello from the terminal, edited/);
    expect(screens["editArrived"]).toMatch(/EDITED ▒ Live from Bob, corrected/);
  });

  test("searches, and narrows to direct messages", () => {
    expect(screens["found"]).toMatch(/▒ It rains, see umbrella/);
    expect(screens["found"]).not.toMatch(/▒ Soup today\?/);
    expect(screens["direct"]).toMatch(/▒ Psst, Alice/);
    expect(screens["direct"]).not.toMatch(/▒ Soup today\?/);
    expect(screens["conversation"]).toMatch(/▒ Psst, Alice/);
  });

  test("shows that another person is typing", () => {
    expect(screens["typing"]).toMatch(/Bob +is typing/);
  });

  test("receives messages again after its event queue has ended", () => {
    // Between them stands the time, if a minute has passed.
    expect(screens["registeredAgain"]).toMatch(/▒ Psst, Alice.*\n(?:.*\n)?.*▒ After the end/);
  });

  test("and others read what it did; neither the server nor the program had anything to complain of", () => {
    expect(stored).toEqual([
      { content: "Soup **today**?", emoji: ["thumbs_up"] },
      { content: "It rains, see `umbrella`", emoji: [] },
      { content: "Psst, Alice", emoji: [] },
      { content: "Hello from the terminal, edited", emoji: [] },
      { content: "Live from Bob, corrected", emoji: ["tada"] },
    ]);
    expect(withoutOwnRace(complaints)).toBe("");
    expect(serverLog).not.toMatch(/"level":"(warn|error)"/);
  });
});
