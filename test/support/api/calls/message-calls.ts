import { type Calls, everyone, everyoneHere, open, signedOut } from "./call";
import { newChannel, newMessage, newName } from "./things";

const bad = "400 BAD_REQUEST";
const missing = "400 STREAM_DOES_NOT_EXIST";
/** In a public channel without guests. */
const inPublicChannel = { ...everyoneHere, guest: bad };
const page = { anchor: "newest", num_before: 5, num_after: 0 };

/** Queues and messages. */
export const messageCalls: Calls = {
  "POST /register": {
    outcomes: everyone,
    prepare: () => ({ parameters: { event_types: ["message"] } }),
  },
  "GET /events": {
    outcomes: everyone,
    prepare: () => ({ parameters: { event_types: ["message"] } }),
  },
  "DELETE /events": {
    outcomes: { ...everyone },
    prepare: async (_, caller) => {
      const { body } = await caller.post("/register", { event_types: ["message"] });
      return { parameters: { queue_id: body.queue_id ?? "none" } };
    },
  },
  "POST /messages": {
    outcomes: { ...inPublicChannel, incomingWebhook: "ok", guest: missing, outsider: missing },
    prepare: ({ channels }) => ({
      parameters: {
        type: "channel",
        to: channels.general,
        topic: newName("topic"),
        content: "soup?",
      },
    }),
  },
  "GET /messages": { outcomes: everyone, prepare: () => ({ parameters: page }) },
  "GET /messages/matches_narrow": {
    outcomes: everyone,
    prepare: async (world) => ({
      parameters: { msg_ids: [await newMessage(world)], narrow: [["search", "soup"]] },
    }),
  },
  "GET /messages/summary": {
    outcomes: { ...signedOut, others: bad },
    isForNobody: true,
    prepare: () => ({ parameters: { narrow: [["channel", "general"]] } }),
  },
  "GET /messages/{message_id}": {
    outcomes: inPublicChannel,
    prepare: async (world) => ({ path: { message_id: await newMessage(world) } }),
  },
  "PATCH /messages/{message_id}": {
    outcomes: { ...signedOut, guest: bad, outsider: bad, others: "ok" },
    prepare: async (world, caller) => {
      // A caller who cannot send there tries it with another person's message.
      const id = await caller
        .say("general", newName("topic"), "soup")
        .catch(() => newMessage(world));
      return { path: { message_id: id }, parameters: { content: "soup!" } };
    },
  },
  "DELETE /messages/{message_id}": {
    by: "olga",
    outcomes: { ...signedOut, owner: "ok", administrator: "ok", others: bad },
    prepare: async ({ olga }) => ({
      path: { message_id: await olga.say("general", "old", "news") },
    }),
  },
  "GET /messages/{message_id}/history": {
    outcomes: inPublicChannel,
    prepare: async (world) => ({ path: { message_id: await newMessage(world) } }),
  },
  "GET /messages/{message_id}/read_receipts": {
    outcomes: inPublicChannel,
    prepare: async (world) => ({ path: { message_id: await newMessage(world) } }),
  },
  "POST /messages/render": {
    outcomes: everyone,
    prepare: () => ({ parameters: { content: "**soup**" } }),
  },
  "POST /messages/flags": {
    outcomes: inPublicChannel,
    servesAll: true,
    prepare: async (world) => ({
      parameters: { messages: [await newMessage(world)], op: "add", flag: "starred" },
    }),
  },
  "POST /messages/flags/narrow": {
    outcomes: everyone,
    prepare: () => ({
      parameters: { ...page, narrow: [["is", "unread"]], op: "add", flag: "read" },
    }),
  },
  "POST /mark_all_as_read": { outcomes: everyone, prepare: () => ({}) },
  "POST /mark_stream_as_read": {
    outcomes: inPublicChannel,
    prepare: ({ channels }) => ({ parameters: { stream_id: channels.general } }),
  },
  "POST /mark_topic_as_read": {
    outcomes: inPublicChannel,
    servesAll: true,
    prepare: async (world) => {
      await newMessage(world, "lunch");
      return { parameters: { stream_id: world.channels.general, topic_name: "lunch" } };
    },
  },
  "POST /messages/{message_id}/reactions": {
    outcomes: inPublicChannel,
    servesAll: true,
    prepare: async (world) => ({
      path: { message_id: await newMessage(world) },
      parameters: { emoji_name: "wave" },
    }),
  },
  "DELETE /messages/{message_id}/reactions": {
    outcomes: inPublicChannel,
    prepare: async (world, caller) => {
      const message_id = await newMessage(world);
      await caller.post(`/messages/${message_id}/reactions`, { emoji_name: "wave" });
      return { path: { message_id }, parameters: { emoji_name: "wave" } };
    },
  },
  "POST /typing": {
    outcomes: everyoneHere,
    prepare: ({ carol }) => ({ parameters: { op: "start", to: [carol.id] } }),
  },
  "POST /messages/{message_id}/typing": {
    outcomes: { ...signedOut, member: "ok", others: bad },
    prepare: async (world) => ({
      path: { message_id: await newMessage(world) },
      parameters: { op: "start" },
    }),
  },
};

/** Topics, and people's settings for them. */
export const topicCalls: Calls = {
  "GET /users/me/{stream_id}/topics": {
    outcomes: inPublicChannel,
    prepare: ({ channels }) => ({ path: { stream_id: channels.general } }),
  },
  "POST /streams/{stream_id}/delete_topic": {
    by: "olga",
    outcomes: {
      ...signedOut,
      owner: "ok",
      administrator: "ok",
      others: "400 UNAUTHORIZED_PRINCIPAL",
    },
    prepare: async (world) => {
      const channel = await newChannel(world);
      await world.olga.say(channel.name, "old", "news");
      return { path: { stream_id: channel.id }, parameters: { topic_name: "old" } };
    },
  },
  "POST /user_topics": {
    outcomes: inPublicChannel,
    prepare: ({ channels }) => ({
      parameters: { stream_id: channels.general, topic: newName("topic"), visibility_policy: 1 },
    }),
  },
  "PATCH /users/me/subscriptions/muted_topics": {
    outcomes: inPublicChannel,
    prepare: ({ channels }) => ({
      parameters: { stream_id: channels.general, topic: newName("topic"), op: "add" },
    }),
  },
  "GET /users/me/alert_words": { outcomes: everyone, prepare: () => ({}) },
  "POST /users/me/alert_words": {
    outcomes: everyone,
    prepare: () => ({ parameters: { alert_words: ["soup"] } }),
  },
  "DELETE /users/me/alert_words": {
    outcomes: everyone,
    prepare: () => ({ parameters: { alert_words: ["soup"] } }),
  },
};

/** Requests before a sign-in. */
export const doorCalls: Calls = {
  "GET /server_settings": { outcomes: open, prepare: () => ({}) },
};
