import type { WireEvent } from "./client";
import { applyBot, forgetBotDefaults } from "./client-state/bots";
import { applyDirectMessage } from "./client-state/conversations";
import { applyDevice } from "./client-state/devices";
import { applyContent } from "./client-state/edits";
import { isMention } from "./client-state/mentions";
import { applyMove } from "./client-state/moves";
import { forgetDrafts, ownThingsReducers } from "./client-state/own-things";
import { applyMutedUsers, applyPresence, applyStatus, forgetStatus } from "./client-state/people";

/**
 * State that a client keeps of `register` and changes with each event: JSON as it is on the wire.
 */
export type ClientState = ReturnType<typeof JSON.parse>;

type Row = ClientState;

const channelLists = ["streams", "subscriptions", "unsubscribed", "never_subscribed"];
const subscriptionLists = ["subscriptions", "unsubscribed", "never_subscribed"];

/** Changes the state as the protocol's clients do when an event arrives. */
export function applyEvent(state: ClientState, event: WireEvent) {
  const apply = reducers[event.type];
  if (!apply) throw new Error(`No client knows what to do with ${event.type}.`);
  apply(state, event);
}

const reducers: Record<string, (state: ClientState, event: WireEvent) => void> = {
  message: applyMessage,
  update_message: (state, event) => {
    applyMove(state, event);
    applyContent(state, event);
  },
  update_message_flags: applyFlags,
  reaction: () => undefined,
  ...ownThingsReducers,
  // Nothing of files is in the state: clients ask for the list.
  attachment: () => undefined,
  // Nor of exports.
  realm_export: () => undefined,
  realm_export_consent: () => undefined,
  realm_user: applyUser,
  realm_bot: applyBot,
  user_group: applyGroup,
  stream: applyChannel,
  subscription: applySubscription,
  realm: applyRealm,
  user_settings: (state, { property, value }) => {
    state.user_settings[property] = value;
    if (property in state) state[property] = Boolean(value);
    forgetDrafts(state, { property, value });
  },
  realm_user_settings_defaults: (state, { property, value }) => {
    state.realm_user_settings_defaults[property] = value;
  },
  delete_message: (state, { message_id, message_ids = [message_id] }) => {
    removeUnread(state, message_ids);
    state.starred_messages = without(state.starred_messages, message_ids);
  },
  user_topic: applyUserTopic,
  muted_topics: (state, { muted_topics }) => {
    state.muted_topics = muted_topics;
  },
  alert_words: (state, { alert_words }) => {
    state.alert_words = alert_words;
  },
  realm_emoji: (state, { realm_emoji }) => {
    state.realm_emoji = realm_emoji;
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
  channel_folder: (state, { op, channel_folder, channel_folder_id, data, order }) => {
    if (op === "add") state.channel_folders.push(channel_folder);
    else if (op === "update")
      Object.assign(
        state.channel_folders.find(({ id }: Row) => id === channel_folder_id),
        data,
      );
    else
      state.channel_folders = order.map((id: number, index: number) => ({
        ...state.channel_folders.find((folder: Row) => folder.id === id),
        order: index,
      }));
  },
  realm_playgrounds: (state, { realm_playgrounds }) => {
    state.realm_playgrounds = realm_playgrounds;
  },
  presence: applyPresence,
  user_status: applyStatus,
  muted_users: applyMutedUsers,
  device: applyDevice,
  navigation_view: (state, { op, fragment, navigation_view, data }) => {
    if (op === "add") state.navigation_views.push(navigation_view);
    else if (op === "remove")
      state.navigation_views = state.navigation_views.filter(
        (one: Row) => one.fragment !== fragment,
      );
    else
      Object.assign(
        state.navigation_views.find((one: Row) => one.fragment === fragment),
        data,
      );
  },
  onboarding_steps: (state, { onboarding_steps }) => {
    state.onboarding_steps = onboarding_steps;
  },
  // Clients ask for the list.
  invites_changed: () => undefined,
  typing: () => undefined,
  typing_edit_message: () => undefined,
  default_streams: (state, { default_streams }) => {
    state.realm_default_streams = default_streams;
  },
};

const without = (ids: number[], gone: number[]) => ids.filter((id) => !gone.includes(id));

const sortedUnion = (ids: number[], come: number[]) =>
  [...new Set([...ids, ...come])].sort((a, b) => a - b);

function applyMessage(state: ClientState, { message, flags }: WireEvent) {
  state.max_message_id = Math.max(state.max_message_id, message.id);
  if (flags.includes("starred")) state.starred_messages.push(message.id);
  applyDirectMessage(state, message);
  if (!flags.includes("read"))
    addUnread(
      state,
      message.id,
      { ...message, topic: message.subject },
      isMention(state, message, flags),
    );
}

/** A policy of 0 is what the channel gives: it is not kept. */
function applyUserTopic(state: ClientState, { id: _, type: _type, ...topic }: WireEvent) {
  const isSame = (row: Row) =>
    row.stream_id === topic.stream_id &&
    row.topic_name.toLowerCase() === topic.topic_name.toLowerCase();
  const others = state.user_topics.filter((row: Row) => !isSame(row));
  state.user_topics = topic.visibility_policy === 0 ? others : [...others, topic];
}

interface Place {
  type: string;
  stream_id?: number;
  topic?: string;
  user_ids?: number[];
  display_recipient?: { id: number }[];
}

function addUnread(state: ClientState, id: number, place: Place, isMentioned: boolean) {
  const { unread_msgs: unread, user_id: me } = state;
  const people = place.user_ids ?? place.display_recipient;
  const ids =
    place.type === "stream"
      ? []
      : sortedUnion(
          [me],
          Array.isArray(people)
            ? people.map((one) => (typeof one === "number" ? one : one.id))
            : [],
        );
  const other = ids.find((one) => one !== me) ?? me;
  const [list, key] =
    place.type === "stream"
      ? [unread.streams, { stream_id: place.stream_id, topic: place.topic }]
      : ids.length <= 2
        ? [unread.pms, { other_user_id: other, sender_id: other }]
        : [unread.huddles, { user_ids_string: ids.join(",") }];
  const isSame = (row: Row) => Object.entries(key).every(([name, value]) => row[name] === value);
  const row = list.find(isSame);
  if (row) row.unread_message_ids = sortedUnion(row.unread_message_ids, [id]);
  else list.push({ ...key, unread_message_ids: [id] });
  if (isMentioned) unread.mentions = sortedUnion(unread.mentions, [id]);
}

function removeUnread(state: ClientState, ids: number[]) {
  const { unread_msgs: unread } = state;
  for (const list of ["streams", "pms", "huddles"]) {
    for (const row of unread[list]) row.unread_message_ids = without(row.unread_message_ids, ids);
    unread[list] = unread[list].filter((row: Row) => row.unread_message_ids.length > 0);
  }
  unread.mentions = without(unread.mentions, ids);
}

function applyFlags(state: ClientState, { op, flag, messages, message_details, all }: WireEvent) {
  if (flag === "starred") {
    const { starred_messages: before } = state;
    state.starred_messages =
      op === "add" ? sortedUnion(before, messages) : without(before, messages);
  }
  if (flag !== "read") return;
  if (all) Object.assign(state.unread_msgs, { streams: [], pms: [], huddles: [], mentions: [] });
  if (op === "add") return removeUnread(state, messages);
  for (const id of messages) {
    const { mentioned = false, ...place } = message_details[id];
    addUnread(state, id, place, mentioned);
  }
}

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
    if (op === "remove") forgetStatus(state, person.user_id);
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
  if (!person.is_active) takeOut(state, person.user_id);
}

/**
 * Clients take a deactivated user out of all groups and channels by themselves
 * (`docs/protocol/specification.md`).
 */
function takeOut(state: ClientState, userId: number) {
  forgetStatus(state, userId);
  for (const group of state.realm_user_groups) group.members = without(group.members, [userId]);
  changePeers(state, (ids) => without(ids, [userId]));
}

function applyRealm(state: ClientState, { op, property, value, data }: WireEvent) {
  for (const [name, one] of Object.entries(op === "update" ? { [property]: value } : data))
    state[`realm_${name}`] = one;
}

function applyGroup(state: ClientState, event: WireEvent) {
  const { op, group_id, user_ids, direct_subgroup_ids } = event;
  const group = state.realm_user_groups.find(({ id }: Row) => id === group_id);
  if (op === "add") state.realm_user_groups.push(event.group);
  if (op === "remove") {
    state.realm_user_groups = state.realm_user_groups.filter(({ id }: Row) => id !== group_id);
  }
  if (op === "update") Object.assign(group, event.data);
  if (op === "add_members") group.members = sortedUnion(group.members, user_ids);
  if (op === "remove_members") group.members = without(group.members, user_ids);
  if (op === "add_subgroups")
    group.direct_subgroup_ids = sortedUnion(group.direct_subgroup_ids, direct_subgroup_ids);
  if (op === "remove_subgroups")
    group.direct_subgroup_ids = without(group.direct_subgroup_ids, direct_subgroup_ids);
}

function applyChannel(state: ClientState, event: WireEvent) {
  if (event.op === "create") {
    for (const channel of event.streams) {
      const { can_create_topic_group: _, ...listed } = channel;
      state.streams.push({ ...channel });
      state.never_subscribed.push({ ...listed, subscribers: [] });
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
      // Lists without `can_create_topic_group` stay without it.
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

/** Changes who is in some channels, or in all, and with that how many they are. */
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
