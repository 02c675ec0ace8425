import { setPassword } from "../../../../src/management/accounts/update";
import { currentBundle } from "../../../../src/web-page/files";
import type { World } from "../../world";
import { type Call, type Calls, everyone, open } from "./call";

const password = "correct-horse-battery";

async function signInForm({ operator, olga }: World) {
  await setPassword(operator, olga.id, password);
  const form = new FormData();
  form.append("email", olga.email);
  form.append("password", password);
  return { form };
}

async function nameOfWebFile() {
  const [name = ""] = (await currentBundle()).keys();
  return name;
}

const signIn: Call = {
  outcomes: { ...open, outsider: "401" },
  servesAll: true,
  prepare: signInForm,
};

/** Browsers that sign in and out: a browser without a session is redirected to the login page. */
export const sessionCalls: Calls = {
  "POST /users/me/api_key/regenerate": {
    spends: "caller",
    outcomes: { ...everyone, bot: "400 BAD_REQUEST" },
    prepare: () => ({}),
  },
  "GET the page /": {
    // Browsers without a session are redirected to the login page.
    outcomes: {
      anonymous: "ok",
      deactivated: "401",
      incomingWebhook: "401",
      others: "400",
    },
    prepare: () => ({}),
  },
  "GET the page /static/web/{name}": {
    outcomes: open,
    prepare: async () => ({ path: { name: await nameOfWebFile() } }),
  },
  "GET the page /service-worker.js": { outcomes: open, prepare: () => ({}) },
  "GET the page /manifest.webmanifest": { outcomes: open, prepare: () => ({}) },
  "GET the page /login": { outcomes: open, prepare: () => ({}) },
  "POST the page /login": signIn,
  "GET the page /login/": { outcomes: open, prepare: () => ({}) },
  "POST the page /login/": signIn,
  "POST the page /logout": { outcomes: open, prepare: () => ({}) },
  "POST the page /logout/everywhere": { outcomes: open, prepare: () => ({}) },
  "GET the page /account": { outcomes: open, prepare: () => ({}) },
  "POST the page /account/key": { outcomes: open, prepare: () => ({}) },
  "POST the page /account/password": { outcomes: open, prepare: () => ({}) },
  "GET the page /account/session": {
    outcomes: { anonymous: "401", deactivated: "401", incomingWebhook: "401", others: "400" },
    prepare: () => ({}),
  },
  "GET the page /account/sessions": {
    outcomes: { anonymous: "401", deactivated: "401", incomingWebhook: "401", others: "400" },
    prepare: () => ({}),
  },
  "POST the page /account/sessions/end": {
    isForSessions: true,
    outcomes: { anonymous: "401", deactivated: "401", incomingWebhook: "401", others: "400" },
    prepare: () => ({}),
  },
};
