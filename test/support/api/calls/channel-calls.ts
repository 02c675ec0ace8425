import { loadUser } from "../../../../src/people/users/queries";
import type { Person, World } from "../../world";
import {
  administrators,
  allButGuests,
  type Calls,
  everyone,
  everyoneHere,
  type Outcomes,
} from "./call";
import { newChannel, newName } from "./things";

const bad = "400 BAD_REQUEST";
/** Administrators may administer every channel; moderators only those that give them the right. */
const managers: Outcomes = { ...administrators, others: bad };
const inPublicChannel = { ...everyoneHere, guest: bad };

/** Channels and who is in them. */
export const channelCalls: Calls = {
  "GET /streams": { outcomes: everyone, prepare: () => ({}) },
  "GET /streams/{stream_id}": {
    outcomes: inPublicChannel,
    prepare: ({ channels }) => ({ path: { stream_id: channels.general } }),
  },
  "GET /streams/{stream_id}/email_address": {
    outcomes: inPublicChannel,
    prepare: ({ channels }) => ({ path: { stream_id: channels.general } }),
  },
  "GET /get_stream_id": {
    outcomes: inPublicChannel,
    prepare: () => ({ parameters: { stream: "general" } }),
  },
  "GET /streams/{stream_id}/members": {
    outcomes: inPublicChannel,
    prepare: ({ channels }) => ({ path: { stream_id: channels.general } }),
  },
  "GET /users/{user_id}/subscriptions/{stream_id}": {
    outcomes: inPublicChannel,
    prepare: ({ channels, alice }) => ({
      path: { user_id: alice.id, stream_id: channels.general },
    }),
  },
  "GET /users/me/subscriptions": { outcomes: everyone, prepare: () => ({}) },
  "POST /users/me/subscriptions": {
    outcomes: allButGuests,
    prepare: () => ({ parameters: { subscriptions: [{ name: newName("channel") }] } }),
  },
  "DELETE /users/me/subscriptions": {
    outcomes: everyoneHere,
    prepare: async (world, caller) => ({
      parameters: { subscriptions: [(await channelOf(world, caller)).name] },
    }),
  },
  "POST /users/me/subscriptions/delete": {
    outcomes: everyoneHere,
    prepare: async (world, caller) => ({
      parameters: { subscriptions: [(await channelOf(world, caller)).name] },
    }),
  },
  "PATCH /users/me/subscriptions": {
    outcomes: allButGuests,
    prepare: () => ({ parameters: { add: [{ name: newName("channel") }] } }),
  },
  "POST /users/me/subscriptions/properties": {
    outcomes: everyoneHere,
    prepare: async (world, caller) => {
      const stream_id = (await channelOf(world, caller)).id;
      return {
        parameters: { subscription_data: [{ stream_id, property: "color", value: "#c0ffee" }] },
      };
    },
  },
  "PATCH /users/me/subscriptions/{stream_id}": {
    outcomes: everyoneHere,
    prepare: async (world, caller) => ({
      path: { stream_id: (await channelOf(world, caller)).id },
      parameters: { property: "pin_to_top", value: true },
    }),
  },
  "POST /users/me/subscriptions/{stream_id}": {
    outcomes: everyoneHere,
    prepare: async (world, caller) => ({
      path: { stream_id: (await channelOf(world, caller)).id },
      parameters: { property: "is_muted", value: true },
    }),
  },
  "PATCH /streams/{stream_id}": {
    by: "olga",
    outcomes: managers,
    prepare: async (world) => ({
      path: { stream_id: (await newChannel(world)).id },
      parameters: { description: "all *of* us" },
    }),
  },
  "DELETE /streams/{stream_id}": {
    by: "olga",
    outcomes: managers,
    prepare: async (world) => ({ path: { stream_id: (await newChannel(world)).id } }),
  },
  "POST /default_streams": {
    by: "olga",
    outcomes: administrators,
    prepare: async (world) => ({ parameters: { stream_id: (await newChannel(world)).id } }),
  },
  "DELETE /default_streams": {
    by: "olga",
    outcomes: administrators,
    prepare: async (world) => {
      const stream_id = (await newChannel(world)).id;
      await world.olga.post("/default_streams", { stream_id });
      return { parameters: { stream_id } };
    },
  },
};

/** A channel with the caller, if the caller may be subscribed. */
const channelOf = async (world: World, caller: Person) =>
  newChannel(world, (await isActiveHere(world, caller)) ? [caller] : []);

const isActiveHere = async (
  { app, realm, olga }: World,
  { host, id, credentials }: Person,
): Promise<boolean> =>
  host === olga.host &&
  credentials !== undefined &&
  (await loadUser(app.engine.reader, realm.id, id)).isActive;
