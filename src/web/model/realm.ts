import { withMembers } from "./copies";
import type { Event, Organization, Register, ServerFacts } from "./wire";

/** Members of the state that have the organization's prefix but belong to other features. */
const ofOthers: ReadonlySet<string> = new Set([
  "realm_billing",
  "realm_bots",
  "realm_default_stream_groups",
  "realm_default_streams",
  "realm_domains",
  "realm_embedded_bots",
  "realm_emoji",
  "realm_filters",
  "realm_incoming_webhook_bots",
  "realm_linkifiers",
  "realm_non_active_users",
  "realm_playgrounds",
  "realm_user_groups",
  "realm_user_settings_defaults",
  "realm_users",
]);

const prefix = "realm_";

/** The organization: its name, pictures and settings, under the names that events use. */
export function organizationFrom(register: Register): Organization;
export function organizationFrom(register: object): object {
  const own = Object.entries(register).filter(
    ([key]) => key.startsWith(prefix) && !ofOthers.has(key),
  );
  return Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), value]));
}

export function applyOrganization(organization: Organization, event: Event): Organization {
  if (event.type !== "realm" || event.op === "deactivated") return organization;
  const members: Readonly<Record<string, unknown>> =
    event.op === "update" ? { [event.property]: event.value } : event.data;
  return withMembers(organization, members);
}

/** Facts about the server. No event changes them. */
export function serverFrom(register: Register): ServerFacts;
export function serverFrom(register: object): object {
  return Object.fromEntries(
    Object.entries(register).filter(
      ([key]) => /^(server|max|settings)_/.test(key) && !passing.has(key),
    ),
  );
}

/** Members that are only true at the moment of the answer. */
const passing: ReadonlySet<string> = new Set(["server_timestamp", "max_message_id"]);
