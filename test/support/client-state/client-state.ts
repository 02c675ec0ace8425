import type { WireEvent } from "../client";
import { applyBot, forgetBotDefaults } from "./bots";
import { applyDevice } from "./devices";

/** State that a client gets from `register` and changes with each event: JSON as on the wire. */
export type ClientState = ReturnType<typeof JSON.parse>;

type Row = ClientState;

const channelLists = ["streams", "subscriptions", "unsubscribed", "never_subscribed"];
const subscriptionLists = ["subscriptions", "unsubscribed", "never_subscribed"];

/**
 * Changes the state as the protocol's clients do when an event arrives, except the keys of
 * `heldByModel`.
 */
export const applyEvent = (state: ClientState, event: WireEvent) =>
  reducers[event.type]?.(state, event);

/**
 * Keys of the state that the web client's model contains completely: the model is compared instead
 * of these.
 */
export const heldByModel: readonly string[] = [
  "alert_words",
  "channel_folders",
  "drafts",
  "muted_users",
  "navigation_views",
  "onboarding_steps",
  "realm_default_streams",
  "realm_emoji",
  "realm_playgrounds",
  "realm_user_groups",
  "reminders",
  "saved_snippets",
  "scheduled_messages",
  "starred_messages",
  "unread_msgs",
  "user_status",
  "user_topics",
];

const reducers: Record<string, (state: ClientState, event: WireEvent) => void> = {
  realm_user: applyUser,
  realm_bot: applyBot,
  stream: applyChannel,
  subscription: applySubscription,
  realm: applyRealm,
  user_settings: (state, { property, value }) => {
    state.user_settings[property] = value;
    if (property in state) state[property] = Boolean(value);
  },
  realm_user_settings_defaults: (state, { property, value }) => {
    state.realm_user_settings_defaults[property] = value;
  },
  muted_topics: (state, { muted_topics }) => {
    state.muted_topics = muted_topics;
  },
  default_stream_groups: (state, { default_stream_groups }) => {
    state.realm_default_stream_groups = default_stream_groups;
  },
  realm_linkifiers: (state, { realm_linkifiers }) => {
    state.realm_linkifiers = realm_linkifiers;
  },
  realm_domains: (state, { op, realm_domain, domain = realm_domain.domain }) => {
    const others = state.realm_domains.filter((one: Row) => one.domain !== domain);
    const at = state.realm_domains.findIndex((one: Row) => one.domain === domain);
    if (op !== "remove") others.splice(at < 0 ? others.length : at, 0, realm_domain);
    state.realm_domains = others;
  },
  custom_profile_fields: (state, { fields }) => {
    state.custom_profile_fields = fields;
    const ids = fields.map(({ id }: Row) => String(id));
    for (const user of [...state.realm_users, ...state.realm_non_active_users]) {
      for (const id of Object.keys(user.profile_data ?? {}))
        if (!ids.includes(id)) delete user.profile_data[id];
    }
  },
  device: applyDevice,
};

const without = (ids: number[], gone: number[]) => ids.filter((id) => !gone.includes(id));

const sortedUnion = (ids: number[], come: number[]) =>
  [...new Set([...ids, ...come])].sort((a, b) => a - b);

function applyProfileValue(profile: Row, { id, ...told }: Row) {
  if (told.value === null) delete profile[id];
  else profile[id] = told;
}

function applyUser(state: ClientState, { op, person }: WireEvent) {
  const lists = ["realm_users", "realm_non_active_users"];
  const others = (list: string) =>
    state[list].filter(({ user_id }: Row) => user_id !== person.user_id);
  if (op !== "update") {
    for (const list of lists) state[list] = others(list);
    if (op === "add")
      state[person.is_active ? "realm_users" : "realm_non_active_users"].push(person);
    return;
  }
  const user = lists
    .flatMap((list) => state[list])
    .find(({ user_id }: Row) => user_id === person.user_id);
  const {
    new_email,
    avatar_source,
    avatar_url_medium,
    custom_profile_field: told,
    ...changed
  } = person;
  Object.assign(user, changed, new_email === undefined ? {} : { email: new_email });
  if (told) applyProfileValue(user.profile_data, told);
  if (person.user_id === state.user_id) {
    for (const key of Object.keys(changed)) if (key in state) state[key] = changed[key];
    if (new_email !== undefined) state.email = new_email;
    if (avatar_source !== undefined) Object.assign(state, { avatar_source, avatar_url_medium });
  }
  if (person.role !== undefined) {
    const { role } = person;
    Object.assign(user, { is_owner: role <= 100, is_admin: role <= 200, is_guest: role >= 600 });
    const own = {
      is_owner: role <= 100,
      is_admin: role <= 200,
      is_moderator: role <= 300,
      is_guest: role >= 600,
    };
    if (person.user_id === state.user_id) Object.assign(state, own);
  }
  if (person.is_active === undefined) return;
  const everybody = lists.flatMap((list) => state[list]);
  state.realm_users = everybody.filter(({ is_active }: Row) => is_active);
  state.realm_non_active_users = everybody.filter(({ is_active }: Row) => !is_active);
  // Clients remove a deactivated user from all channels themselves
  // (`docs/protocol/specification.md`).
  if (!person.is_active) changePeers(state, (ids) => without(ids, [person.user_id]));
}

function applyRealm(state: ClientState, { op, property, value, data }: WireEvent) {
  for (const [name, one] of Object.entries(op === "update" ? { [property]: value } : data))
    state[`realm_${name}`] = one;
}

function applyChannel(state: ClientState, event: WireEvent) {
  if (event.op === "create") {
    for (const channel of event.streams) {
      state.streams.push({ ...channel });
      state.never_subscribed.push({ ...channel, subscribers: [] });
    }
  }
  if (event.op === "delete") forgetBotDefaults(state, event.stream_ids);
  for (const list of channelLists) {
    if (event.op === "delete") {
      state[list] = state[list].filter(
        ({ stream_id }: Row) => !event.stream_ids.includes(stream_id),
      );
    }
    if (event.op !== "update") continue;
    for (const channel of state[list].filter(
      ({ stream_id }: Row) => stream_id === event.stream_id,
    )) {
      if (event.property in channel) channel[event.property] = event.value;
      for (const name of [
        "rendered_description",
        "history_public_to_subscribers",
        "is_web_public",
      ]) {
        if (event[name] !== undefined) channel[name] = event[name];
      }
    }
  }
}

function applySubscription(state: ClientState, event: WireEvent) {
  const { op, subscriptions = [], stream_ids, user_ids } = event;
  if (op === "peer_add") changePeers(state, (ids) => sortedUnion(ids, user_ids), stream_ids);
  if (op === "peer_remove") changePeers(state, (ids) => without(ids, user_ids), stream_ids);
  if (op === "update") {
    const row = state.subscriptions.find(({ stream_id }: Row) => stream_id === event.stream_id);
    if (row) row[event.property] = event.value;
  }
  for (const one of subscriptions) {
    if (op === "add") {
      for (const list of subscriptionLists)
        state[list] = state[list].filter(({ stream_id }: Row) => stream_id !== one.stream_id);
      state.subscriptions.push({ ...one });
      changePeers(state, (ids) => ids, [one.stream_id]);
    } else {
      changePeers(state, (ids) => without(ids, [state.user_id]), [one.stream_id]);
      const isIt = ({ stream_id }: Row) => stream_id === one.stream_id;
      state.unsubscribed.push(...state.subscriptions.filter(isIt));
      state.subscriptions = state.subscriptions.filter((row: Row) => !isIt(row));
    }
  }
}

/** Changes the subscribers of some channels, or of all, and their numbers. */
function changePeers(
  state: ClientState,
  change: (ids: number[]) => number[],
  channelIds?: number[],
) {
  const counts = new Map<number, number>();
  for (const list of subscriptionLists) {
    for (const row of state[list]) {
      if (channelIds && !channelIds.includes(row.stream_id)) continue;
      row.subscribers = change(row.subscribers);
      row.subscriber_count = row.subscribers.length;
      counts.set(row.stream_id, row.subscriber_count);
    }
  }
  for (const row of state.streams)
    row.subscriber_count = counts.get(row.stream_id) ?? row.subscriber_count;
}
