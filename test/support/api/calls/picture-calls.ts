import { emojiForm, staticPng } from "../../pictures";
import type { Person, World } from "../../world";
import { administrators, type Calls, everyone } from "./call";

const form = (): FormData => emojiForm(staticPng);
/** A caller of another organization gets a picture that reveals nothing. */
const signedIn = { others: "ok", anonymous: "401", deactivated: "401", incomingWebhook: "401" };
const hasFile = { others: "ok", outsider: "404" };

/** Pictures of people and of the organization. */
export const pictureCalls: Calls = {
  "POST /users/me/avatar": { outcomes: everyone, prepare: () => ({ form: form() }) },
  "DELETE /users/me/avatar": {
    outcomes: everyone,
    prepare: async (_world, caller) => {
      await send(caller, "/users/me/avatar");
      return {};
    },
  },
  "GET the page /avatar/{user}": {
    outcomes: signedIn,
    prepare: ({ alice, olga }) => generatedOf(olga, alice),
  },
  "GET the page /avatar/{user}/medium": {
    outcomes: signedIn,
    prepare: ({ alice, olga }) => generatedOf(olga, alice),
  },
  "GET the page /user_avatars/{realm_id_str}/{filename}": {
    outcomes: hasFile,
    prepare: async ({ alice }) => partsOf((await send(alice, "/users/me/avatar")).avatar_url),
  },
  "GET the page /user_avatars/{realm_id_str}/generated/{filename}": {
    outcomes: hasFile,
    prepare: ({ realm }) => ({
      path: { realm_id_str: realm.id, filename: `${"a1".repeat(16)}.png` },
    }),
  },
  "GET the page /user_avatars/{realm_id_str}/realm/{filename}": {
    outcomes: hasFile,
    prepare: async ({ olga }) => partsOf((await send(olga, "/realm/icon")).icon_url),
  },
  "POST /realm/icon": { outcomes: administrators, by: "olga", prepare: () => ({ form: form() }) },
  "DELETE /realm/icon": { outcomes: administrators, by: "olga", prepare: withIcon },
  "GET /realm/icon": { outcomes: everyone, prepare: withIcon },
  "POST /realm/logo": {
    outcomes: administrators,
    by: "olga",
    prepare: () => {
      const logo = form();
      logo.append("night", "true");
      return { form: logo };
    },
  },
  "DELETE /realm/logo": { outcomes: administrators, by: "olga", prepare: withLogo },
  "GET /realm/logo": { outcomes: everyone, prepare: withLogo },
};

async function send(person: Person, path: string): Promise<Record<string, string>> {
  const { status, body } = await person.ask("POST", path, {}, { body: form() });
  if (status !== 200 && status !== 401)
    throw new Error(`the picture was refused: ${JSON.stringify(body)}`);
  return body;
}

async function withIcon({ olga }: World) {
  await send(olga, "/realm/icon");
  return {};
}

async function withLogo({ olga }: World) {
  await send(olga, "/realm/logo?night=true");
  return { parameters: { night: true } };
}

/** A person with a generated picture, because other pictures would redirect to another server. */
async function generatedOf({ patch }: Person, { id }: Person) {
  await patch("/realm", { default_avatar_source: "J" });
  return { path: { user: id } };
}

/** `/user_avatars/2/….png?version=2`, or with a folder between. */
function partsOf(url = "") {
  const [, realm_id_str = "", filename = ""] =
    /^\/user_avatars\/(\d+)\/(?:realm\/)?([^/?]+)/.exec(url) ?? [];
  return { path: { realm_id_str, filename } };
}
