import { createLoginLink } from "../../../../src/sign-in/login-links";
import { makeWebToken } from "../../servers/web-token";
import type { World } from "../../world";
import {
  administrators,
  type Calls,
  everyone,
  everyoneHere,
  type Outcomes,
  open,
  owners,
  people,
} from "./call";
import { newName, newPerson } from "./things";

const password = "correct-horse-battery";
const bad = "400 BAD_REQUEST";
/**
 * Administrators of the organization; others are refused without the code for roles (recorded:
 * users_admin).
 */
const managers: Outcomes = { ...administrators, others: bad };
/** A link works for everybody who has it, at the organization's own address. */
const hereOnly: Outcomes = { ...open, outsider: "404" };

/** People, their settings, and adding people. */
export const peopleCalls: Calls = {
  "GET /users": { outcomes: everyone, prepare: () => ({}) },
  "POST /users": {
    by: "olga",
    outcomes: administrators,
    prepare: () => ({
      parameters: { email: `${newName("new")}@example.com`, password, full_name: newName("New") },
    }),
  },
  "GET /users/me": { outcomes: everyone, prepare: () => ({}) },
  "DELETE /users/me": { spends: "caller", outcomes: everyone, prepare: () => ({}) },
  "GET /users/{user_id_or_email}": {
    outcomes: everyoneHere,
    prepare: ({ alice }) => ({ path: { user_id_or_email: alice.id } }),
  },
  "PATCH /users/{user_id_or_email}": {
    by: "olga",
    outcomes: managers,
    prepare: async (world) => ({
      path: { user_id_or_email: (await newPerson(world)).id },
      parameters: { full_name: newName("Renamed") },
    }),
  },
  "DELETE /users/{user_id_or_email}": {
    by: "olga",
    outcomes: managers,
    prepare: async (world) => ({ path: { user_id_or_email: (await newPerson(world)).id } }),
  },
  "POST /users/{user_id}/reactivate": {
    by: "olga",
    outcomes: managers,
    prepare: async (world) => {
      const { id } = await newPerson(world);
      await world.olga.delete(`/users/${id}`);
      return { path: { user_id: id } };
    },
  },
  "GET /users/{user_id}/channels": {
    outcomes: everyoneHere,
    prepare: ({ alice }) => ({ path: { user_id: alice.id } }),
  },
  "PATCH /settings": {
    outcomes: people,
    prepare: () => ({ parameters: { twenty_four_hour_time: true } }),
  },
  "PATCH /settings/display": {
    outcomes: people,
    prepare: () => ({ parameters: { color_scheme: 2 } }),
  },
  "PATCH /settings/notifications": {
    outcomes: people,
    prepare: () => ({ parameters: { enable_sounds: false } }),
  },
  "POST /fetch_api_key": {
    outcomes: { ...open, outsider: "401 AUTHENTICATION_FAILED" },
    servesAll: true,
    prepare: async (world) => {
      const email = `${newName("new")}@example.com`;
      await world.olga.post("/users", { email, password, full_name: newName("New") });
      return { parameters: { username: email, password } };
    },
  },
  "POST /jwt/fetch_api_key": {
    outcomes: { ...open, outsider: "401 AUTHENTICATION_FAILED" },
    servesAll: true,
    prepare: async (world) => {
      const email = `${newName("new")}@example.com`;
      await world.olga.post("/users", { email, password, full_name: newName("New") });
      return { parameters: { token: makeWebToken({ email }) } };
    },
  },
  "GET the page /login/link/{token}": {
    outcomes: hereOnly,
    prepare: async (world) => ({ path: { token: await newLoginToken(world) } }),
  },
  "POST the page /login/link/{token}": {
    outcomes: hereOnly,
    prepare: async (world) => ({ path: { token: await newLoginToken(world) } }),
  },
};

async function newLoginToken({ operator, alice }: World): Promise<string> {
  const { url } = await createLoginLink(operator, alice.id, 600);
  return url.split("/").at(-1) ?? "";
}

/** The organization. */
export const realmCalls: Calls = {
  "PATCH /realm": {
    by: "olga",
    outcomes: administrators,
    prepare: () => ({ parameters: { description: newName("We") } }),
  },
  "GET /audit_log": { by: "olga", outcomes: { ...owners, bot: bad }, prepare: () => ({}) },
  "POST /realm/deactivate": { by: "olga", spends: "world", outcomes: owners, prepare: () => ({}) },
  "PATCH /realm/user_settings_defaults": {
    by: "olga",
    outcomes: administrators,
    prepare: () => ({ parameters: { enter_sends: true } }),
  },
};
