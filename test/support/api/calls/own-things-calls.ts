import type { Person, World } from "../../world";
import { type Calls, everyone, signedOut } from "./call";
import { newChannel, newMessage, newName } from "./things";

const bad = "400 BAD_REQUEST";
const missing = "404 BAD_REQUEST";

const draft = () => ({ type: "", to: [], topic: "", content: newName("draft") });

async function newDraft(person: Person): Promise<number> {
  const { body } = await person.post("/drafts", { drafts: [draft()] });
  return body.ids[0];
}

async function newSnippet(person: Person): Promise<number> {
  const { body } = await person.post("/saved_snippets", {
    title: newName("snippet"),
    content: "Regards",
  });
  return body.saved_snippet_id;
}

/** A message to oneself, which everybody may write. */
async function newScheduled({ clock }: World, person: Person): Promise<number> {
  const { body } = await person.post("/scheduled_messages", {
    type: "direct",
    to: [person.id],
    content: "later",
    scheduled_delivery_timestamp: clock.now() + 3600,
  });
  return body.scheduled_message_id;
}

async function newReminder({ clock }: World, person: Person): Promise<number> {
  const { body } = await person.post("/reminders", {
    message_id: await person.tell([person], "soup"),
    scheduled_delivery_timestamp: clock.now() + 3600,
  });
  return body.reminder_id;
}

/** Each object is personal: for all other people it does not exist. */
const ownOnly = { ...signedOut, others: missing, member: "ok" };
const inPublicChannel = { ...signedOut, guest: bad, outsider: bad, others: "ok" };

/** Drafts, snippets, scheduled messages, reminders, polls and reports. */
export const ownThingsCalls: Calls = {
  "GET /drafts": { outcomes: everyone, prepare: () => ({}) },
  "POST /drafts": { outcomes: everyone, prepare: () => ({ parameters: { drafts: [draft()] } }) },
  "PATCH /drafts/{draft_id}": {
    outcomes: ownOnly,
    prepare: async ({ alice }) => ({
      path: { draft_id: await newDraft(alice) },
      parameters: { draft: draft() },
    }),
  },
  "DELETE /drafts/{draft_id}": {
    outcomes: ownOnly,
    prepare: async ({ alice }) => ({ path: { draft_id: await newDraft(alice) } }),
  },
  "GET /saved_snippets": { outcomes: everyone, prepare: () => ({}) },
  "POST /saved_snippets": {
    outcomes: everyone,
    prepare: () => ({ parameters: { title: newName("snippet"), content: "Regards" } }),
  },
  "PATCH /saved_snippets/{saved_snippet_id}": {
    outcomes: ownOnly,
    prepare: async ({ alice }) => ({
      path: { saved_snippet_id: await newSnippet(alice) },
      parameters: { content: "Yours" },
    }),
  },
  "DELETE /saved_snippets/{saved_snippet_id}": {
    outcomes: ownOnly,
    prepare: async ({ alice }) => ({ path: { saved_snippet_id: await newSnippet(alice) } }),
  },
  "GET /scheduled_messages": { outcomes: everyone, prepare: () => ({}) },
  "POST /scheduled_messages": {
    outcomes: everyone,
    prepare: ({ clock }, caller) => ({
      parameters: {
        type: "direct",
        to: [caller.id],
        content: "later",
        scheduled_delivery_timestamp: clock.now() + 3600,
      },
    }),
  },
  "PATCH /scheduled_messages/{scheduled_message_id}": {
    outcomes: ownOnly,
    prepare: async (world) => ({
      path: { scheduled_message_id: await newScheduled(world, world.alice) },
      parameters: { content: "much later" },
    }),
  },
  "DELETE /scheduled_messages/{scheduled_message_id}": {
    outcomes: ownOnly,
    prepare: async (world) => ({
      path: { scheduled_message_id: await newScheduled(world, world.alice) },
    }),
  },
  "GET /reminders": { outcomes: everyone, prepare: () => ({}) },
  "POST /reminders": {
    outcomes: inPublicChannel,
    servesAll: true,
    prepare: async (world) => ({
      parameters: {
        message_id: await newMessage(world),
        scheduled_delivery_timestamp: world.clock.now() + 3600,
      },
    }),
  },
  "DELETE /reminders/{reminder_id}": {
    outcomes: ownOnly,
    prepare: async (world) => ({ path: { reminder_id: await newReminder(world, world.alice) } }),
  },
  "POST /submessage": {
    outcomes: inPublicChannel,
    servesAll: true,
    prepare: async ({ alice }) => ({
      parameters: {
        message_id: await alice.say("general", newName("poll"), "/poll Lunch?\nPizza"),
        msg_type: "widget",
        content: '{"type": "vote", "key": "canned,0", "vote": 1}',
      },
    }),
  },
  "POST /zcommand": {
    outcomes: { ...everyone, bot: bad },
    prepare: () => ({ parameters: { command: "/dark" } }),
  },
  "POST /messages/{message_id}/report": {
    outcomes: inPublicChannel,
    servesAll: true,
    prepare: async (world) => {
      const { id } = await newChannel(world, [], { inviteOnly: true });
      await world.olga.patch("/realm", { moderation_request_channel_id: id });
      return { path: { message_id: await newMessage(world) }, parameters: { report_type: "spam" } };
    },
  },
};
