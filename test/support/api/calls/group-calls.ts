import {
  allButGuests,
  allButGuestsHere,
  type Calls,
  members,
  membersHere,
  type Outcomes,
  signedOut,
} from "./call";
import { newGroup, newName } from "./things";

const bad = "400 BAD_REQUEST";
/**
 * Outcomes for a group that Olga made and nobody else manages; by default only owners manage all
 * groups.
 */
const managers: Outcomes = { ...signedOut, owner: "ok", others: bad };

/** User groups. */
export const groupCalls: Calls = {
  "GET /user_groups": { outcomes: members, prepare: () => ({}) },
  "POST /user_groups/create": {
    outcomes: allButGuests,
    prepare: (_, { id }) => ({
      parameters: { name: newName("group"), description: "", members: [id] },
    }),
  },
  "PATCH /user_groups/{user_group_id}": {
    by: "olga",
    outcomes: managers,
    prepare: async (world) => ({
      path: { user_group_id: (await newGroup(world)).id },
      parameters: { name: newName("group"), description: "renamed" },
    }),
  },
  "POST /user_groups/{user_group_id}/deactivate": {
    by: "olga",
    outcomes: managers,
    prepare: async (world) => ({ path: { user_group_id: (await newGroup(world)).id } }),
  },
  "GET /user_groups/{user_group_id}/members": {
    outcomes: membersHere,
    prepare: async (world) => ({ path: { user_group_id: (await newGroup(world)).id } }),
  },
  "POST /user_groups/{user_group_id}/members": {
    by: "olga",
    outcomes: managers,
    prepare: async (world) => ({
      path: { user_group_id: (await newGroup(world)).id },
      parameters: { add: [world.carol.id], delete: [world.olga.id] },
    }),
  },
  "GET /user_groups/{user_group_id}/members/{user_id}": {
    outcomes: allButGuestsHere,
    prepare: async (world) => ({
      path: { user_group_id: (await newGroup(world)).id, user_id: world.olga.id },
    }),
  },
  "GET /user_groups/{user_group_id}/subgroups": {
    outcomes: membersHere,
    prepare: async (world) => ({ path: { user_group_id: (await newGroup(world)).id } }),
  },
  "POST /user_groups/{user_group_id}/subgroups": {
    by: "olga",
    outcomes: managers,
    prepare: async (world) => ({
      path: { user_group_id: (await newGroup(world)).id },
      parameters: { add: [(await newGroup(world)).id] },
    }),
  },
};
