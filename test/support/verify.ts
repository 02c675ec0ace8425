import { expect } from "bun:test";
import { applyEvent, type ClientState } from "./client-state";
import type { Person, World } from "./world";

const names = ["olga", "adam", "mona", "alice", "bob", "carol", "otto", "greta", "robot"] as const;

const options = { include_subscribers: true, client_gravatar: false, slim_presence: true };

/**
 * Checks for each of the cast, and for who is not of it, that the state before an action and the events that it brings give
 * the state after it. Those whom the action locks out are passed over. Answers how many events each got.
 */
export async function verify(world: World, action: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await Promise.all(names.map((name) => world[name].register(options).catch(() => undefined)));
  const stranger = await world.zoe.register(options);
  await action();
  const counts: Record<string, number> = {};
  for (const [index, name] of names.entries()) {
    const queue = before[index];
    if (!queue || !(await isLetIn(world[name]))) continue;
    const events = await queue.events();
    for (const event of events) applyEvent(queue.state, event);
    const after = await world[name].register(options);
    expect({ name, ...comparable(queue.state) }).toEqual({ name, ...comparable(after.state) });
    counts[name] = events.length;
  }
  expect(await stranger.events()).toEqual([]);
  return counts;
}

const isLetIn = async (person: Person) => (await person.get("/users/me")).status === 200;

type Row = ClientState;

const by = (key: string) => (a: Row, b: Row) => (a[key] < b[key] ? -1 : 1);

/** The parts of a state that events change, each list in one order. */
function comparable(state: ClientState) {
  const { is_owner, is_admin, is_moderator, is_guest, realm_default_streams } = state;
  return {
    ...{ is_owner, is_admin, is_moderator, is_guest, realm_default_streams },
    starred_messages: [...state.starred_messages].sort((a, b) => a - b),
    realm_users: [...state.realm_users].sort(by("user_id")),
    realm_non_active_users: [...state.realm_non_active_users].sort(by("user_id")),
    realm_bots: [...state.realm_bots].sort(by("user_id")),
    realm_user_groups: state.realm_user_groups
      .map((group: Row) => ({ ...group, members: [...group.members].sort((a, b) => a - b) }))
      .sort(by("id")),
    streams: comparableChannels(state.streams),
    subscriptions: comparableChannels(state.subscriptions),
    unsubscribed: comparableChannels(state.unsubscribed),
    never_subscribed: comparableChannels(state.never_subscribed),
    unread: comparableUnread(state),
    user_settings: state.user_settings,
  };
}

/** No event tells the first message of a channel. */
const comparableChannels = (channels: Row[]) =>
  channels.map(({ first_message_id: _, ...channel }) => channel).sort(by("stream_id"));

/** Unread messages by id; those of channels that one is not in do not count. */
function comparableUnread({ unread_msgs: unread, subscriptions }: ClientState) {
  const reach = subscriptions.map(({ stream_id }: Row) => stream_id);
  const streams = unread.streams.filter(({ stream_id }: Row) => reach.includes(stream_id));
  const rows = [...streams, ...unread.pms, ...unread.huddles].map(({ unread_message_ids, ...place }: Row) => ({
    ...place,
    ids: [...unread_message_ids].sort((a, b) => a - b),
  }));
  const ids = rows.flatMap((row) => row.ids);
  return {
    rows: rows.sort((a, b) => a.ids[0] - b.ids[0]),
    mentions: unread.mentions.filter((id: number) => ids.includes(id)),
  };
}
