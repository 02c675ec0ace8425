import { expect } from "bun:test";
import type { Page } from "playwright-core";
import type { keys as keyWords } from "../../src/web/words/en/keys";
import type { World } from "../support/world";
import { eventually } from "./waiting";

/*
 * All commands as somebody does them by keyboard alone: a command without a line here does not
 * compile.
 */

export interface Deed {
  /** View of the scene in which it is done. */
  readonly view: string;
  /** Text of the message that the keys are brought to before. */
  readonly at?: string;
  /** Events of the world that it needs: the page is loaded anew after them. */
  readonly prepare?: (world: World) => Promise<unknown>;
  /** Keys that are pressed before it, or a text that is typed into the box. */
  readonly before?: readonly string[];
  readonly typed?: string;
  /** Waits until it is done. */
  readonly done: (page: Page, world: World) => Promise<unknown>;
}

type CommandId = keyof typeof keyWords.commands;

const release = "topic";
const newest = "Tuesday it is, then.";
const cut = "The branch is cut.";
const second = "Second run is through";
const picture = "The way there";

const address = (form: RegExp) => (page: Page) =>
  page.waitForFunction((source) => new RegExp(source).test(location.hash), form.source);
const shown = (selector: string) => (page: Page) => page.locator(selector).first().waitFor();
const dialog = shown("dialog[open] form");
const notice = shown(".toast");
const boxHolds = (text: string | RegExp) => async (page: Page) => {
  await page.waitForFunction(() =>
    document.activeElement?.matches(".compose :is(input, textarea)"),
  );
  await eventually(async () =>
    expect(await page.locator(".compose textarea").inputValue()).toMatch(text),
  );
};
const focusAt = (text: string) => (page: Page) =>
  page.waitForFunction(
    (sought) => document.activeElement?.closest("article")?.textContent?.includes(sought),
    text,
  );
const railAt = (name: string) => (page: Page) =>
  page.locator(".rail [aria-current]").filter({ hasText: name }).waitFor();
const reactedTo = (text: string) => (page: Page) =>
  page
    .getByRole("article")
    .filter({ hasText: text })
    .getByRole("button", { name: /: \d+ \(.*you.*\)$/ })
    .first()
    .waitFor();

/** Waits until a message has a flag, or has it no more. */
const flagged =
  (text: string, flag: string, has: boolean) =>
  (_: Page, { alice }: World) =>
    eventually(async () => {
      const asked = { anchor: "newest", num_before: 100, num_after: 0 };
      const { body } = await alice.get("/messages", asked);
      const found = body.messages.find(({ content }: { content: string }) =>
        content.includes(text),
      );
      expect(found.flags.includes(flag)).toBe(has);
    });

const scrolled = (isEnough: (feed: { top: number; below: number }) => boolean) => (page: Page) =>
  eventually(async () => {
    const feed = await page.locator(".feed").evaluate((element) => ({
      top: element.scrollTop,
      below: element.scrollHeight - element.scrollTop - element.clientHeight,
    }));
    expect(isEnough(feed)).toBe(true);
  });

async function reportsGoTo({ olga, channels }: World): Promise<void> {
  const { status } = await olga.patch("/realm", {
    moderation_request_channel_id: channels.secret,
  });
  expect(status).toBe(200);
}

async function followedTopicWaits({ alice, olga }: World): Promise<void> {
  const { body } = await alice.get("/get_stream_id", { stream: "design" });
  await alice.post("/user_topics", {
    stream_id: body.stream_id,
    topic: "followed",
    visibility_policy: 3,
  });
  await olga.say("design", "followed", "News for who follows.");
}

const going = {
  palette: { view: "inbox", done: shown("dialog.palette [role=combobox]") },
  search: { view: "inbox", done: shown(".search [role=combobox]") },
  help: { view: "inbox", done: shown("dialog[open] dl") },
  inbox: { view: "recent", done: address(/^#inbox$/) },
  recent: { view: "inbox", done: address(/^#recent$/) },
  combined: { view: "inbox", done: address(/^#feed$/) },
  mentions: { view: "inbox", done: address(/^#narrow\/is\/mentioned$/) },
  starred: { view: "inbox", done: address(/^#narrow\/is\/starred$/) },
  reactions: { view: "inbox", done: address(/^#narrow\/has\/reaction\/sender\/\d+/) },
  alerts: { view: "inbox", done: address(/^#narrow\/is\/alerted$/) },
  files: { view: "inbox", done: address(/^#narrow\/has\/attachment$/) },
  channels: { view: "inbox", done: address(/^#channels\/all$/) },
  invitations: { view: "inbox", done: address(/^#invitations$/) },
  settings: { view: "inbox", done: address(/^#settings/) },
  drafts: { view: "inbox", done: address(/^#drafts$/) },
  scheduled: { view: "inbox", done: address(/^#scheduled$/) },
  reminders: { view: "inbox", done: address(/^#reminders$/) },
  ownFiles: { view: "inbox", done: address(/^#files$/) },
  snippets: { view: "inbox", done: address(/^#snippets$/) },
  nextUnreadTopic: {
    view: "inbox",
    prepare: ({ bob }) => bob.say("lunch", "soup", "Who comes along?"),
    done: address(/^#narrow\/channel\/.*\/topic\//),
  },
  nextUnreadDirect: {
    view: "inbox",
    prepare: ({ alice, bob }) => bob.tell([alice], "Are you there?"),
    done: address(/^#narrow\/dm\//),
  },
  nextUnreadFollowed: {
    view: "inbox",
    prepare: followedTopicWaits,
    done: address(/^#narrow\/channel\/.*\/topic\//),
  },
  nextConversation: { view: "inbox", done: railAt("Recent") },
  previousConversation: { view: "recent", done: railAt("Inbox") },
  filterChannels: { view: "inbox", done: shown(".rail input:focus") },
  people: {
    view: release,
    done: (page) =>
      page.getByRole("complementary", { name: "People" }).waitFor({ state: "detached" }),
  },
  leave: { view: "recent", done: address(/^#inbox$/) },
} as const satisfies Partial<Record<CommandId, Deed>>;

const reading = {
  nextMessage: { view: release, at: second, done: focusAt("This is the part that matters") },
  previousMessage: { view: release, at: second, done: focusAt(cut) },
  firstMessage: { view: release, at: newest, done: focusAt(cut) },
  lastMessage: { view: release, at: cut, done: focusAt(newest) },
  pageDown: { view: release, at: cut, before: ["Home"], done: scrolled(({ top }) => top > 50) },
  pageUp: { view: release, at: newest, before: ["End"], done: scrolled(({ below }) => below > 50) },
  topicOf: { view: "channel", at: newest, done: address(/\/topic\/release\.202\.2E0\/near\/\d+$/) },
  channelOf: { view: release, at: newest, done: address(/^#narrow\/channel\/\d+-engineering$/) },
  senderCard: { view: release, at: newest, done: shown(".card") },
  picture: { view: "widgets", at: picture, done: shown("dialog.lightbox") },
  collapse: { view: release, at: second, done: shown("article .chip[aria-expanded=false]") },
  readers: { view: "widgets", at: "to read before", done: shown("dialog[open] header") },
  history: { view: "widgets", at: picture, done: shown(".history li") },
  menu: { view: release, at: newest, done: shown("[role=menu]") },
  unreadFromHere: { view: release, at: newest, done: flagged(newest, "read", false) },
  markAllRead: {
    view: "inbox",
    prepare: ({ bob }) => bob.say("lunch", "soup", "It is hot."),
    done: flagged("It is hot.", "read", true),
  },
} as const satisfies Partial<Record<CommandId, Deed>>;

const writing = {
  reply: { view: release, at: newest, done: boxHolds("") },
  replyToSender: {
    view: release,
    at: newest,
    done: (page) => page.locator(".compose").filter({ hasText: "Chen Wei" }).waitFor(),
  },
  replyWithMention: { view: release, at: newest, done: boxHolds(/^@\*\*Chen Wei/) },
  quote: { view: release, at: newest, done: boxHolds(/```quote\nTuesday it is/) },
  forward: { view: release, at: newest, done: boxHolds(/```quote\nTuesday it is/) },
  newTopic: { view: "inbox", done: shown(".compose .to select:focus") },
  newDirect: { view: "inbox", done: shown(".compose .to input:focus") },
  edit: { view: "direct-several", at: "At ten.", done: shown(".edit textarea:focus") },
  sendLater: { view: release, typed: "Good morning", done: shown("[role=menu], dialog[open]") },
  newPoll: { view: release, done: dialog },
  newTaskList: { view: release, done: dialog },
} as const satisfies Partial<Record<CommandId, Deed>>;

const changing = {
  report: { view: release, at: newest, prepare: reportsGoTo, done: dialog },
  move: { view: "widgets", at: "to read before", done: dialog },
  react: { view: release, at: newest, done: shown(".emoji-picker [role=option]") },
  thumbsUp: { view: release, at: newest, done: reactedTo(newest) },
  joinReaction: {
    view: "widgets",
    at: picture,
    prepare: async ({ alice, bob }) => {
      const asked = { anchor: "newest", num_before: 100, num_after: 0 };
      const { body } = await alice.get("/messages", asked);
      const [found] = body.messages.filter(({ content }: { content: string }) =>
        content.includes(picture),
      );
      await bob.post(`/messages/${found.id}/reactions`, { emoji_name: "tada" });
    },
    done: reactedTo(picture),
  },
  star: { view: release, at: newest, done: flagged(newest, "starred", true) },
  remind: { view: release, at: newest, done: shown("[role=menu], dialog[open]") },
  muteTopic: { view: release, done: notice },
  followTopic: { view: release, done: notice },
  resolveTopic: { view: "widgets", done: shown("h1:has-text('✔')") },
  status: { view: "inbox", done: dialog },
  newChannel: { view: "inbox", done: dialog },
  notifications: { view: "inbox", done: notice },
  singleKeys: {
    view: "inbox",
    done: (page) =>
      page.waitForFunction(() =>
        Object.entries(localStorage).some(
          ([key, value]) => /single keys/.test(key) && /off/.test(value),
        ),
      ),
  },
  // The last of all deeds, because it ends the session in which the others are done.
  logOut: { view: "inbox", done: (page) => page.waitForURL(/\/login/) },
} as const satisfies Partial<Record<CommandId, Deed>>;

export const deeds: Readonly<Record<CommandId, Deed>> = {
  ...going,
  ...reading,
  ...writing,
  ...changing,
};
