import { type Calls, everyone, everyoneHere, type Outcomes, people, signedOut } from "./call";
import { newPerson } from "./things";

const bad = "400 BAD_REQUEST";
/**
 * Administrators of the organization; others are refused without the code for roles
 * (docs/protocol/specification.md, POST /users/{user_id}/status).
 */
const managers: Outcomes = { ...signedOut, owner: "ok", administrator: "ok", others: bad };

/** Presence, statuses, and muted people. */
export const presenceCalls: Calls = {
  "POST /users/me/presence": {
    outcomes: people,
    prepare: () => ({ parameters: { status: "active" } }),
  },
  "GET /realm/presence": { outcomes: everyone, prepare: () => ({}) },
  "GET /users/{user_id_or_email}/presence": {
    outcomes: everyoneHere,
    prepare: async ({ alice }) => {
      await alice.post("/users/me/presence", { status: "active" });
      return { path: { user_id_or_email: alice.id } };
    },
  },
  "POST /users/me/status": {
    outcomes: people,
    prepare: () => ({ parameters: { status_text: "at lunch" } }),
  },
  "GET /users/{user_id}/status": {
    outcomes: everyoneHere,
    prepare: ({ alice }) => ({ path: { user_id: alice.id } }),
  },
  "POST /users/{user_id}/status": {
    by: "olga",
    outcomes: managers,
    prepare: ({ alice }) => ({
      path: { user_id: alice.id },
      parameters: { status_text: "on holiday" },
    }),
  },
  "POST /users/me/muted_users/{muted_user_id}": {
    outcomes: everyoneHere,
    servesAll: true,
    prepare: async (world) => ({ path: { muted_user_id: (await newPerson(world)).id } }),
  },
  "DELETE /users/me/muted_users/{muted_user_id}": {
    outcomes: everyoneHere,
    prepare: async (world, caller) => {
      const { id } = await newPerson(world);
      await caller.post(`/users/me/muted_users/${id}`);
      return { path: { muted_user_id: id } };
    },
  },
};
