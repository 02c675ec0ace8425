import { emojiForm, staticPng } from "../../pictures";
import type { Person, World } from "../../world";
import { administrators, type Calls, everyone, members, signedOut } from "./call";
import { newName } from "./things";

const bad = "400 BAD_REQUEST";
const missing = "404 BAD_REQUEST";

/** The organization's own emoji, and what it makes links of. */
export const emojiCalls: Calls = {
  "GET the page /emoji/names.json": { outcomes: { others: "ok" }, prepare: () => ({}) },
  "GET /realm/emoji": { outcomes: everyone, prepare: () => ({}) },
  "POST /realm/emoji/{emoji_name}": {
    outcomes: members,
    prepare: () => ({ path: { emoji_name: newName("emoji") }, form: emojiForm(staticPng) }),
  },
  "DELETE /realm/emoji/{emoji_name}": {
    outcomes: {
      ...signedOut,
      owner: "ok",
      administrator: "ok",
      member: "ok",
      outsider: missing,
      others: bad,
    },
    prepare: async ({ alice }) => ({ path: { emoji_name: await newEmoji(alice) } }),
  },
  "GET the page /user_avatars/{realm_id_str}/emoji/images/{filename}": {
    outcomes: { others: "ok", outsider: "404" },
    prepare: async (world) => {
      const name = await newEmoji(world.alice);
      const { body } = await world.alice.get("/realm/emoji");
      const emoji = Object.values<Record<string, string>>(body.emoji).find(
        (one) => one["name"] === name,
      );
      const filename = emoji?.["source_url"]?.split("/").at(-1) ?? "";
      return { path: { realm_id_str: world.realm.id, filename } };
    },
  },
  "GET /realm/linkifiers": { outcomes: everyone, prepare: () => ({}) },
  "POST /realm/filters": {
    outcomes: administrators,
    by: "olga",
    prepare: () => ({
      parameters: { pattern: newName("KIT"), url_template: "https://tracker.example/" },
    }),
  },
  "PATCH /realm/filters/{filter_id}": {
    outcomes: administrators,
    by: "olga",
    prepare: async (world) => ({
      path: { filter_id: await newLinkifier(world) },
      parameters: { pattern: newName("KIT"), url_template: "https://new.example/" },
    }),
  },
  "DELETE /realm/filters/{filter_id}": {
    outcomes: administrators,
    by: "olga",
    prepare: async (world) => ({ path: { filter_id: await newLinkifier(world) } }),
  },
  "PATCH /realm/linkifiers": {
    outcomes: administrators,
    by: "olga",
    prepare: async (world) => {
      await newLinkifier(world);
      const { body } = await world.olga.get("/realm/linkifiers");
      const ids: number[] = body.linkifiers.map(({ id }: { id: number }) => id);
      return { parameters: { ordered_linkifier_ids: ids.reverse() } };
    },
  },
};

async function newEmoji(person: Person): Promise<string> {
  const name = newName("emoji");
  const { status } = await person.ask(
    "POST",
    `/realm/emoji/${name}`,
    {},
    { body: emojiForm(staticPng) },
  );
  if (status !== 200) throw new Error("the emoji was refused");
  return name;
}

async function newLinkifier({ olga }: World): Promise<number> {
  const { body } = await olga.post("/realm/filters", {
    pattern: `${newName("KIT")}-(?P<id>[0-9]+)`,
    url_template: "https://tracker.example/{id}",
  });
  return body.id;
}
