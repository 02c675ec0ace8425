import { isSubscribed } from "../model/channels";
import { usableEmoji } from "../model/custom-emoji";
import { writtenName } from "../model/mentions";
import { type Names, writeFragment } from "../model/narrow";
import { topicNarrow } from "../model/narrow-kind";
import { isHolder } from "../model/permissions";
import type { Target } from "../model/recipient";
import type { Model } from "../model/snapshot";
import type { User } from "../model/wire";
import { bestOf, type Fitting, inOrder, type Match, matchOf } from "./matching";
import type { Query } from "./query";

/** A suggestion that can replace the typed words. */
export interface Offer {
  readonly key: string;
  readonly name: string;
  /** The part of the name that matches the typed words. */
  readonly match: Match;
  /** The text that replaces the typed words. */
  readonly text: string;
  readonly about: About;
}

/** The suggested thing, with the facts that are needed to show it. */
export type About =
  | { readonly kind: "person"; readonly userId: number; readonly near: Nearness }
  | { readonly kind: "wildcard"; readonly of: "channel" | "topic" | "conversation" }
  | { readonly kind: "group"; readonly size: number }
  | { readonly kind: "channel"; readonly channelId: number }
  | { readonly kind: "topic"; readonly channelId: number }
  | { readonly kind: "emoji"; readonly code: string; readonly isOwn: boolean }
  | { readonly kind: "time"; readonly at: number }
  | { readonly kind: "command" | "snippet" };

/** The places from which the writer may know somebody, the nearest first. */
type Nearness = "topic" | "channel" | "recent" | "all";

export interface EmojiName {
  readonly name: string;
  readonly code: string;
}

/** All data from which suggestions are made. */
export interface Surroundings {
  readonly model: Pick<
    Model,
    "me" | "users" | "groups" | "channels" | "conversations" | "mutedUsers" | "emoji" | "snippets"
  >;
  readonly target: Target;
  /** Ids of people who have written in the conversation, the last one first. */
  readonly writers: readonly number[];
  /** Ids of the subscribers of the recipient's channel, once they are loaded. */
  readonly members: ReadonlySet<number>;
  /** The names of a channel's topics, the newest first. */
  readonly topicsOf: (channelId: number) => readonly string[];
  /** Unicode emoji, once they are loaded. */
  readonly emojiNames: readonly EmojiName[];
  readonly names: Names;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const offersMax = 8;

/** Suggestions for the typed words, the best first. */
export function offersFor(query: Query, around: Surroundings): readonly Offer[] {
  switch (query.kind) {
    case "person":
      return best(people(query, around));
    case "channel":
      return best(channels(query.typed, around));
    case "topic":
      return best(topics(query, around));
    case "emoji":
      return best(emoji(query.typed, around));
    case "time":
      return times(around.now);
    case "command":
      return best(commands(query, around));
  }
}

type Ranked = Offer & Fitting;

function ranked(typed: string, { order, ...offer }: Omit<Ranked, "match">): readonly Ranked[] {
  const match = matchOf(offer.name, typed);
  return match ? [{ ...offer, order, match }] : [];
}

const best = (offers: readonly Ranked[]): readonly Offer[] =>
  bestOf(offers, offersMax).map(({ order: _, ...offer }) => offer);

/**
 * The order of people: writers of the topic, subscribers of the channel, people of direct messages,
 * all others, muted people.
 */
const orders = {
  topic: 0,
  wildcard: 900,
  channel: 1_000,
  recent: 1_000_000,
  group: 2_000_000,
  all: 3_000_000,
  muted: 4_000_000,
};

type PersonQuery = Extract<Query, { kind: "person" }>;

const markOf = ({ isSilent }: PersonQuery): string => (isSilent ? "@_" : "@");

/** A person whose name matches. */
interface FittingPerson extends Fitting {
  readonly user: User;
  readonly near: Nearness;
}

/**
 * Suggested people, as mentions. Mentions and suggestions are only made for the best matches,
 * because only a few of thousands are shown.
 */
function people(query: PersonQuery, around: Surroundings): readonly Ranked[] {
  const { model, target } = around;
  const { typed, isSilent } = query;
  const mark = markOf(query);
  const offers = bestOf(fittingPeople(query, around), offersMax).map(
    ({ user, near, name, match, order }): Ranked => ({
      key: `person ${user.user_id}`,
      name,
      match,
      order,
      text: `${mark}**${writtenName(user, model)}** `,
      about: { kind: "person", userId: user.user_id, near },
    }),
  );
  const others = groups(typed, mark, model, isSilent);
  return isSilent ? [...offers, ...others] : [...offers, ...wildcards(typed, target), ...others];
}

function fittingPeople(
  { typed }: PersonQuery,
  { model, writers, members }: Surroundings,
): readonly FittingPerson[] {
  const near = { writers: placesOf(writers), members, recent: placesOf(recentPeople(model)) };
  const fitting: FittingPerson[] = [];
  for (const user of model.users.values()) {
    const { user_id: userId, full_name: name, is_active: isActive } = user;
    const match = isActive === false || userId === 0 ? undefined : matchOf(name, typed);
    if (!match) continue;
    const { order, nearest } = nearness(userId, near);
    const isMuted = model.mutedUsers.has(userId);
    fitting.push({ name, match, order: isMuted ? orders.muted : order, user, near: nearest });
  }
  return fitting;
}

/** Positions in a list by id, so that the list is not searched for each person. */
const placesOf = (ids: readonly number[]): ReadonlyMap<number, number> =>
  new Map(ids.map((id, place) => [id, place]));

interface Near {
  readonly writers: ReadonlyMap<number, number>;
  readonly members: ReadonlySet<number>;
  readonly recent: ReadonlyMap<number, number>;
}

function nearness(
  userId: number,
  { writers, members, recent }: Near,
): { order: number; nearest: Nearness } {
  const here = writers.get(userId);
  if (here !== undefined) return { order: orders.topic + Math.min(here, 800), nearest: "topic" };
  const lately = recent.get(userId);
  if (members.has(userId))
    return { order: orders.channel + (lately ?? recent.size), nearest: "channel" };
  if (lately !== undefined) return { order: orders.recent + lately, nearest: "recent" };
  return { order: orders.all, nearest: "all" };
}

/** People of direct conversations; those of the newest conversation come first. */
const recentPeople = ({ conversations }: Surroundings["model"]): readonly number[] => [
  ...new Set(
    [...conversations]
      .sort(([, one], [, other]) => other - one)
      .flatMap(([key]) => key.split(",").map(Number)),
  ),
];

function wildcards(typed: string, target: Target): readonly Ranked[] {
  const named =
    target.kind === "direct"
      ? ([["all", "conversation"]] as const)
      : ([
          ["topic", "topic"],
          ["all", "channel"],
          ["everyone", "channel"],
          ["channel", "channel"],
        ] as const);
  return named.flatMap(([name, of], index) =>
    typed === "" && index > 1
      ? []
      : ranked(typed, {
          key: `wildcard ${name}`,
          name,
          text: `@**${name}** `,
          about: { kind: "wildcard", of },
          order: orders.wildcard + index,
        }),
  );
}

const groups = (
  typed: string,
  mark: string,
  model: Surroundings["model"],
  isSilent: boolean,
): readonly Ranked[] =>
  [...model.groups.values()]
    .filter(
      (group) =>
        !group.is_system_group &&
        !group.deactivated &&
        (isSilent || isHolder(model.groups, model.me, group.can_mention_group)),
    )
    .flatMap(({ id, name, members }) =>
      ranked(typed, {
        key: `group ${id}`,
        name,
        text: `${mark}*${name}* `,
        about: { kind: "group", size: members.size },
        order: orders.group,
      }),
    );

/** Characters that a name in a link by name must not contain. */
const unlinkable = /[`>*&[\]]|\$\$/;

function channels(typed: string, { model, names }: Surroundings): readonly Ranked[] {
  return [...model.channels.values()]
    .filter(({ is_archived }) => !is_archived)
    .flatMap(({ stream_id: channelId, name }) =>
      ranked(typed, {
        key: `channel ${channelId}`,
        name,
        text: unlinkable.test(name)
          ? `[#${escaped(name)}](${writeFragment(topicNarrow(channelId, "").slice(0, 1), names)}) `
          : `#**${name}** `,
        about: { kind: "channel", channelId },
        order: isSubscribed(model.channels, channelId) ? 0 : 1,
      }),
    );
}

/** The text of a link without characters that would end it. */
const escaped = (text: string): string => text.replaceAll(/[\\[\]*`_$]/g, "\\$&");

function topics(
  { typed, channelName }: Extract<Query, { kind: "topic" }>,
  { model, topicsOf, names }: Surroundings,
): readonly Ranked[] {
  const wanted = channelName.toLowerCase();
  const channel = [...model.channels.values()].find(({ name }) => name.toLowerCase() === wanted);
  if (!channel) return [];
  const { stream_id: channelId, name } = channel;
  return topicsOf(channelId).flatMap((topic, order) =>
    ranked(typed, {
      key: `topic ${topic}`,
      name: topic,
      text: unlinkable.test(name + topic)
        ? `[#${escaped(`${name} > ${topic}`)}](${writeFragment(topicNarrow(channelId, topic), names)}) `
        : `#**${name}>${topic}** `,
      about: { kind: "topic", channelId },
      order,
    }),
  );
}

/** The most popular emoji, the most popular first. */
const popular = ["1f44d", "1f389", "1f642", "2764", "1f680", "1f440", "1f602", "1f64f", "2705"];

function emoji(typed: string, { model, emojiNames }: Surroundings): readonly Ranked[] {
  const own = usableEmoji(model.emoji).map(({ id, name }) => ({ name, code: id, isOwn: true }));
  const seen = new Set(own.map(({ name }) => name));
  const all = [...own, ...emojiNames.filter(({ name }) => !seen.has(name)).map(ofWorld)];
  const offers = all.flatMap(({ name, code, isOwn }, index) =>
    ranked(typed, {
      key: `emoji ${code} ${name}`,
      name,
      text: `:${name}: `,
      about: { kind: "emoji", code, isOwn },
      order: orderOfEmoji(code, name === typed, all[index - 1]?.code !== code),
    }),
  );
  // One line for each emoji, with its best matching name.
  const seenCodes = new Set<string>();
  return inOrder(offers).filter(({ about }) => {
    if (about.kind !== "emoji" || seenCodes.has(about.code)) return false;
    seenCodes.add(about.code);
    return true;
  });
}

const ofWorld = ({ name, code }: EmojiName) => ({ name, code, isOwn: false });

/**
 * The order of a name. An exact match of a rare emoji's second name yields to popular emoji: for
 * `thumb`, 👍 comes first.
 */
function orderOfEmoji(code: string, isExact: boolean, isFirstName: boolean): number {
  if (isExact && isFirstName) return -1;
  const place = popular.indexOf(code);
  if (place >= 0) return place;
  return isExact ? popular.length : popular.length + 1;
}

const hourMilliseconds = 3_600_000;

/** Times that people may write about: the next full hours, and the mornings of the next days. */
function times(now: number): readonly Offer[] {
  const hour = Math.ceil(now / hourMilliseconds) * hourMilliseconds;
  const morning = (days: number): number => {
    const date = new Date(now);
    return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days, 9).getTime();
  };
  return [hour, hour + hourMilliseconds, morning(1), morning(2), morning(7)].map((at) => ({
    key: `time ${at}`,
    name: "",
    match: { rank: 0, start: 0, end: 0 },
    text: `<time:${new Date(at).toISOString().replace(".000Z", "Z")}> `,
    about: { kind: "time", at },
  }));
}

const commandNames = ["me", "poll", "todo"];

function commands(
  { typed, from }: Extract<Query, { kind: "command" }>,
  { model }: Surroundings,
): readonly Ranked[] {
  const own = [...model.snippets.values()].flatMap(({ id, title, content }) =>
    ranked(typed, {
      key: `snippet ${id}`,
      name: title,
      text: content,
      about: { kind: "snippet" },
      order: 1,
    }),
  );
  const first = commandNames.flatMap((name) =>
    ranked(typed, {
      key: `command ${name}`,
      name,
      text: `/${name} `,
      about: { kind: "command" },
      order: 0,
    }),
  );
  // Commands only mean something at the beginning of a message.
  return from === 0 ? [...first, ...own] : own;
}
