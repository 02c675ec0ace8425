import { botKinds } from "../../../../src/people/bots/kinds";
import { type Calls, members, type Outcomes, signedOut } from "./call";
import { newBot, newName } from "./things";

const bad = "400 BAD_REQUEST";
/** Outcomes for a bot that belongs to Alice, the member. */
const botOwners: Outcomes = {
  ...signedOut,
  owner: "ok",
  administrator: "ok",
  member: "ok",
  others: bad,
};
/** Outcomes for bots that call for themselves; incoming webhook bots are not tried. */
const bots: Outcomes = { ...signedOut, bot: "ok", others: bad };

/** Bots, and what they store for themselves. */
export const botCalls: Calls = {
  "GET /bots": { outcomes: members, prepare: () => ({}) },
  "POST /bots": {
    outcomes: members,
    prepare: () => ({
      parameters: {
        full_name: newName("Robot"),
        short_name: newName("robot"),
        bot_type: botKinds.outgoingWebhook,
        payload_url: "https://hooks.example.com/soup",
      },
    }),
  },
  "PATCH /bots/{bot_id}": {
    outcomes: botOwners,
    prepare: async (world) => ({
      path: { bot_id: (await newBot(world, botKinds.outgoingWebhook)).id },
      parameters: {
        full_name: newName("Renamed"),
        service_payload_url: "https://hooks.example.com/other",
      },
    }),
  },
  "DELETE /bots/{bot_id}": {
    outcomes: botOwners,
    prepare: async (world) => ({ path: { bot_id: (await newBot(world)).id } }),
  },
  "GET /bots/{bot_id}/api_key": {
    outcomes: botOwners,
    prepare: async (world) => ({ path: { bot_id: (await newBot(world)).id } }),
  },
  "POST /bots/{bot_id}/api_key/regenerate": {
    outcomes: botOwners,
    prepare: async (world) => ({ path: { bot_id: (await newBot(world)).id } }),
  },
  "GET /bot_storage": { by: "robot", outcomes: bots, prepare: () => ({}) },
  "PUT /bot_storage": {
    by: "robot",
    outcomes: bots,
    prepare: () => ({ parameters: { storage: { soup: "leek" } } }),
  },
  "DELETE /bot_storage": { by: "robot", outcomes: bots, prepare: () => ({}) },
};
