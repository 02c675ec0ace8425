import type { Register, User, WireSubscription } from "./wire";

/*
 * The state inside a page without all that is alike in most people and channels, because a browser
 * reads each character of the page before it shows anything.
 */

/**
 * Members with the values that most people have, in runs. The members of a run stand in this order.
 */
const usualRole = {
  is_active: true,
  is_owner: false,
  is_admin: false,
  is_guest: false,
  is_bot: false,
  bot_type: null,
  bot_owner_id: null,
  role: 400,
} as const satisfies Partial<User>;
const usualPlace = { timezone: "", avatar_url: null } as const satisfies Partial<User>;
const usualEnd = { is_imported_stub: false, profile_data: {} } as const satisfies Partial<User>;
const usualPerson = { ...usualRole, ...usualPlace, avatar_version: 1, ...usualEnd } as const;
const usualBot = { ...usualRole, ...usualPlace } as const;

/** Members with the values that most channels have. */
const usualChannel = {
  is_web_public: false,
  stream_post_policy: 1,
  message_retention_days: null,
  history_public_to_subscribers: true,
  topics_policy: "inherit",
} as const satisfies Partial<WireSubscription>;

/** Settings with the values that most subscriptions have. */
const usualSubscription = {
  desktop_notifications: null,
  email_notifications: null,
  in_home_view: true,
  is_muted: false,
  pin_to_top: false,
  push_notifications: null,
  wildcard_mentions_notify: null,
} as const satisfies Partial<WireSubscription>;

/** Members as they stand in JSON after other members. */
const runOf = (members: object): string => `,${JSON.stringify(members).slice(1, -1)}`;

/** A function, so that the client, which does not need it, does not compute it. */
const usualRuns = (): readonly string[] => [
  runOf(usualRole),
  runOf({ avatar_version: usualPerson.avatar_version, ...usualEnd }),
  runOf(usualEnd),
  runOf(usualPlace),
  runOf(usualChannel),
  runOf(usualSubscription),
];

/** An address that occurs twice, because the reader sees equal values in both members. */
const sameAddresses = /"delivery_email":("[^"\\]*"),"email":\1/g;

/**
 * The JSON of a state, or of a part of it, without default values. Text that somebody wrote cannot
 * be mistaken for a member, because quotation marks inside it are escaped.
 */
export const leanJson = (json: string): string =>
  usualRuns()
    .reduce((text, run) => text.replaceAll(run, ""), json)
    .replace(sameAddresses, '"email":$1');

type Lists = Pick<
  Register,
  | "realm_users"
  | "realm_non_active_users"
  | "cross_realm_bots"
  | "subscriptions"
  | "unsubscribed"
  | "never_subscribed"
>;

/**
 * The whole state of a state from `leanJson`, whose rows lack members. A whole state is returned
 * unchanged.
 */
export const wholeState = <State extends Lists>(lean: State): State => ({
  ...lean,
  realm_users: lean.realm_users.map(wholePerson),
  realm_non_active_users: lean.realm_non_active_users.map(wholePerson),
  cross_realm_bots: lean.cross_realm_bots.map(wholePerson),
  subscriptions: lean.subscriptions.map(wholeSubscription),
  unsubscribed: lean.unsubscribed.map(wholeSubscription),
  never_subscribed: lean.never_subscribed.map(wholeChannel),
});

/** Rows of bots have no profile, so they are complete at this point. */
function wholePerson<Row extends { email: string; is_imported_stub?: boolean }>(row: Row): Row {
  const usual = row.is_imported_stub === undefined ? usualPerson : usualBot;
  return { ...usual, delivery_email: row.email, ...row };
}

const wholeSubscription = <Row extends object>(row: Row): Row => ({
  ...usualChannel,
  ...usualSubscription,
  ...row,
});

const wholeChannel = <Row extends object>(row: Row): Row => ({ ...usualChannel, ...row });
