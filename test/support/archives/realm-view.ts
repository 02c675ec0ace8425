import { eq } from "drizzle-orm";
import type { RunningApp } from "../../../src/app";
import { operatorContext } from "../../../src/core/operator";
import { write } from "../../../src/core/write";
import { findRealmByHost } from "../../../src/realm/queries";
import { issueApiKeyIn } from "../../../src/sign-in/api-keys";
import { Client } from "../client";
import { open } from "../files";

type Json = ReturnType<typeof JSON.parse>;

interface Server {
  app: RunningApp;
  site: string;
}

/** Everybody of an organization, with new keys, by their addresses. */
export async function signInAll({ app, site }: Server, host: string): Promise<Map<string, Client>> {
  const realm = await findRealmByHost(app.engine.reader, host);
  if (!realm) throw new Error(`nobody is at ${host}`);
  const ctx = operatorContext(app, realm);
  const { users } = app.engine.schema;
  const rows = await app.engine.reader.db.select().from(users).where(eq(users.realmId, realm.id));
  const clients = new Map<string, Client>();
  for (const { id, email, isActive, isSystemBot } of rows.toSorted((a, b) => a.id - b.id)) {
    if (!isActive || isSystemBot) continue;
    const { apiKey } = await write(ctx, (tx) => issueApiKeyIn(tx, ctx, id, "look"));
    clients.set(email, new Client(site, host, { email, apiKey }));
  }
  return clients;
}

/** Members that change with every look, or belong to a server or a key. */
const passing = new Set([
  "queue_id",
  "last_event_id",
  "event_queue_longpoll_timeout_seconds",
  "api_key",
  "token",
  "zulip_version",
  "server_timestamp",
  "realm_url",
  "realm_uri",
  "realm_uuid",
  "realm_push_notifications_enabled_end_timestamp",
  "presence_last_update_id",
  "server_generation",
  "key_id",
  "max_file_upload_size_mib",
]);

const cleaned = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(cleaned);
  // A picture drawn from an id looks otherwise where the id is another one.
  if (typeof value === "string") {
    const drawn = value.replaceAll(/\/user_avatars\/\d+\/generated\/[0-9a-f]+/g, "/generated");
    return drawn.replaceAll(/gravatar\.com\/avatar\/[0-9a-f]+/g, "gravatar.com");
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !passing.has(name))
      .map(([name, one]) => [name, cleaned(one)]),
  );
};

/** Lists that somebody can ask for without parameters. */
const listPaths = [
  "/attachments",
  "/drafts",
  "/saved_snippets",
  "/scheduled_messages",
  "/reminders",
  "/navigation_views",
  "/users",
  "/user_groups",
  "/users/me/subscriptions",
  "/realm/emoji",
  "/realm/linkifiers",
  "/realm/profile_fields",
  "/channel_folders",
  "/realm/webhook_templates",
  "/bots",
  "/bot_storage",
  "/settings",
  "/realm/domains",
];

/** Everything that somebody can see of an organization through the API. */
async function viewOf(person: Client): Promise<Record<string, Json>> {
  const register = (
    await person.post("/register", { include_subscribers: true, fetch_event_types: undefined })
  ).body;
  const page = {
    anchor: "oldest",
    num_before: 0,
    num_after: 1000,
    narrow: [],
    client_gravatar: false,
  };
  const html = (await person.get("/messages", { ...page, apply_markdown: true })).body;
  const source = (await person.get("/messages", { ...page, apply_markdown: false })).body;
  const found = (
    await person.get("/messages", { ...page, narrow: [{ operator: "search", operand: "soup" }] })
  ).body;
  const history: Json = {};
  const readers: Json = {};
  for (const { id } of source.messages ?? []) {
    history[`of ${id}`] = (await person.get(`/messages/${id}/history`)).body;
    readers[`of ${id}`] = (await person.get(`/messages/${id}/read_receipts`)).body;
  }
  const lists: Json = {};
  for (const path of listPaths) lists[path] = (await person.get(path)).body;
  lists["/users with fields"] = (
    await person.get("/users", { include_custom_profile_fields: true })
  ).body;
  lists["/audit_log"] = await actsIn(person);
  lists["/streams"] = (
    await person.get("/streams", { include_all: true, exclude_archived: false })
  ).body;
  return cleaned({
    register,
    html,
    source,
    found,
    history,
    readers,
    lists,
    files: await filesIn(person, html, lists),
  });
}

/** Acts of those who look at an organization before and after it was moved. */
const ofTheMove = new Set(["api_key.create", "realm.import"]);

/** The audit log, without the move itself and the keys by which people look at this view. */
async function actsIn(person: Client): Promise<Json> {
  const { body } = await person.get("/audit_log", { limit: 1_000 });
  const acts = body.audit_log?.filter(({ action }: Json) => !ofTheMove.has(action));
  return { code: body.code, acts };
}

/** The bytes of each file that is named in what somebody sees. */
async function filesIn(person: Client, ...seen: Json[]): Promise<Json> {
  const named = JSON.stringify(seen).matchAll(/\/(?:user_uploads|user_avatars)\/\d+\/[^"\\ )?]+/g);
  const attached = (seen.at(-1)?.["/attachments"]?.attachments ?? []).map(
    ({ path_id }: Json) => `/user_uploads/${path_id}`,
  );
  const files: Json = {};
  const paths = new Set([...[...named].map(([one]) => one), ...attached]);
  for (const path of [...paths].filter((one) => !one.includes("/generated/")).sort()) {
    const response = await open(person, encodeURI(decodeURI(path)));
    const bytes = new Uint8Array(await response.arrayBuffer());
    files[path] = `${response.status} ${response.headers.get("content-type")} ${Bun.hash(bytes)}`;
  }
  return files;
}

/** View that each of an organization's people has, by their addresses. */
export async function viewsOf(server: Server, host: string): Promise<Record<string, Json>> {
  const views: Record<string, Json> = {};
  for (const [email, person] of await signInAll(server, host)) views[email] = await viewOf(person);
  return views;
}

/**
 * Differences of an imported organization: all its ids are greater by so much, it has another id
 * and another host.
 */
export interface Move {
  shift: number;
  realmId: { from: number; to: number };
  host: { from: string; to: string };
}

/** More than any id of a test, and far from every other number. */
const idsMax = 100_000;

/** A view of an imported organization as it was before. */
export function movedBack(view: Json, { shift, realmId, host }: Move): Json {
  const back = (digits: string) => {
    const number = Number(digits);
    // Recipients of messages have twice the ids of channels and conversations.
    if (number > 2 * shift && number < 2 * (shift + idsMax)) return String(number - 2 * shift);
    return number > shift && number < shift + idsMax ? String(number - shift) : digits;
  };
  const text = JSON.stringify(view)
    .replaceAll(host.to, host.from)
    .replace(/\d+/g, back)
    .replaceAll(`/user_uploads/${realmId.to}/`, `/user_uploads/${realmId.from}/`)
    .replaceAll(
      `/user_uploads/thumbnail/${realmId.to}/`,
      `/user_uploads/thumbnail/${realmId.from}/`,
    )
    .replaceAll(`/user_avatars/${realmId.to}/`, `/user_avatars/${realmId.from}/`)
    .replaceAll(`"path_id":"${realmId.to}/`, `"path_id":"${realmId.from}/`);
  return JSON.parse(text);
}
