import { isSubscribed } from "../model/channels";
import { writtenName } from "../model/mentions";
import { type Names, writeFragment } from "../model/narrow";
import { topicNarrow } from "../model/narrow-kind";
import { isHolder } from "../model/permissions";
import type { Target } from "../model/recipient";
import type { Model } from "../model/snapshot";
import type { User } from "../model/wire";
import { bestOf, type Fitting, inOrder, type Match, matchOf } from "./matching";
import type { Query } from "./query";

/** Something that may stand in the place of what was typed. */
export interface Offer {
  readonly key: string;
  readonly name: string;
  /** The part of the name that fits what was typed. */
  readonly match: Match;
  /** The text in the place of what was typed. */
  readonly text: string;
  readonly about: About;
}

/** The thing that is offered, as far as it is drawn and told of. */
export type About =
  | { readonly kind: "person"; readonly userId: number; readonly near: Nearness }
  | { readonly kind: "wildcard"; readonly of: "channel" | "topic" | "conversation" }
  | { readonly kind: "group"; readonly size: number }
  | { readonly kind: "channel"; readonly channelId: number }
  | { readonly kind: "topic"; readonly channelId: number }
  | { readonly kind: "emoji"; readonly code: string; readonly isOwn: boolean }
  | { readonly kind: "time"; readonly at: number }
  | { readonly kind: "command" | "snippet" };

/** Where somebody is known from, the nearest first. */
export type Nearness = "topic" | "channel" | "recent" | "all";

export interface EmojiName {
  readonly name: string;
  readonly code: string;
}

/** All that offers are made of. */
export interface Surroundings {
  readonly model: Pick<
    Model,
    "me" | "users" | "groups" | "channels" | "conversations" | "mutedUsers" | "emoji" | "snippets"
  >;
  readonly target: Target;
  /** People who have written in the conversation, the last one first. */
  readonly writers: readonly number[];
  /** People in the channel that is written to, once they are loaded. */
  readonly members: ReadonlySet<number>;
  /** Names of a channel's topics, the newest first. */
  readonly topicsOf: (channelId: number) => readonly string[];
  /** Emoji of the world, once they are loaded. */
  readonly emojiNames: readonly EmojiName[];
  readonly names: Names;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const offersMax = 8;

/** Offers for what was typed, the best first. */
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

/** Orders of people: those of the topic, of the channel, of direct messages, all, and those muted. */
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

/** Somebody whose name fits. */
interface FittingPerson extends Fitting {
  readonly user: User;
  readonly near: Nearness;
}

/**
 * People are offered by their mentions; these and the offers are made for the best alone, because of
 * thousands who fit only a few are shown.
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

/** Places in a list, so that it is not gone through for each person. */
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

/** People of direct conversations, those of the newest first. */
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

/** Signs in a name that a link by name cannot have. */
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

/** Words of a link without signs that would end it. */
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

/** Emoji that people use most, the most used first. */
const popular = ["1f44d", "1f389", "1f642", "2764", "1f680", "1f440", "1f602", "1f64f", "2705"];

function emoji(typed: string, { model, emojiNames }: Surroundings): readonly Ranked[] {
  const own = [...model.emoji.values()]
    .filter(({ deactivated }) => !deactivated)
    .map(({ id, name }) => ({ name, code: id, isOwn: true }));
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
  // One line for each emoji, with the name that fits best.
  const seenCodes = new Set<string>();
  return inOrder(offers).filter(({ about }) => {
    if (about.kind !== "emoji" || seenCodes.has(about.code)) return false;
    seenCodes.add(about.code);
    return true;
  });
}

const ofWorld = ({ name, code }: EmojiName) => ({ name, code, isOwn: false });

/** Place of a name: `thumb` is also said of an emoji that few mean by it, so it yields to 👍. */
function orderOfEmoji(code: string, isExact: boolean, isFirstName: boolean): number {
  if (isExact && isFirstName) return -1;
  const place = popular.indexOf(code);
  if (place >= 0) return place;
  return isExact ? popular.length : popular.length + 1;
}

const hourMilliseconds = 3_600_000;

/** Moments that people write of: the next full hours, and the mornings of the next days. */
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
  // Words that begin a whole message mean something there alone.
  return from === 0 ? [...first, ...own] : own;
}
