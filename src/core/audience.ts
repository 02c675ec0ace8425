/**
 * Audience of an event: a rule, resolved when the event is delivered, as of its place in the log.
 * Whether a channel was private at that moment is part of the rule, so that a later change of
 * privacy does not change who heard.
 */
export type Audience = (
  | { to: "realm" }
  | { to: "administrators" }
  | { to: "users"; ids: number[] }
  /**
   * Subscribers of a channel: those who receive what is sent there. With `guardedPlace` it is about
   * something of a channel with protected history that stands at that message id: only those hear
   * of it who were subscribed then.
   */
  | { to: "subscribers"; channelId: number; isPrivate: boolean; guardedPlace?: number }
  /**
   * People who may know that a channel exists: everyone if it is open to the web, everyone but
   * guests if public, administrators if not; its subscribers; and `also` those, unless they are
   * guests.
   */
  | {
      to: "channelViewers";
      channelId: number;
      isPrivate: boolean;
      isWebPublic?: boolean;
      also?: number[];
    }
  /**
   * People who may know of a channel while it is public, or open to the web, but not while it is
   * private. `also` is as above.
   */
  | { to: "channelOutsiders"; channelId: number; isWebPublic?: boolean; also?: number[] }
  /**
   * About messages that go from one channel to another. `readers`: those who received them in
   * `from` and may read them in `into`; and the subscribers of `into` to whom they are new, as far
   * as they may know `from`. `losers`: those who received them in `from` and may not read them in
   * `into`.
   */
  | { to: "readers" | "losers"; from: ChannelPlace; into: ChannelPlace }
  /** Nobody: a signal between chatd's own parts. */
  | { to: "server" }
) & {
  except?: number[];
  /** Of those, only who has a role with `from <= role <= to`, and the user `or`. */
  roles?: { from: number; to: number; or?: number };
};

/** A channel as it is in a rule, and where in its history that is about; see `subscribers`. */
export interface ChannelPlace {
  channelId: number;
  isPrivate: boolean;
  /** Whether it is open to the web, and so to guests. */
  isWebPublic?: boolean;
  guardedPlace?: number;
}

/**
 * A time during which somebody was subscribed: the log's entries with `fromLog < id <= toLog` and
 * the messages with `fromMessage < id <= toMessage`, open at its end when null.
 */
export interface Period {
  channelId: number;
  fromLog: number;
  toLog: number | null;
  fromMessage: number;
  toMessage: number | null;
}

/** Facts about a person that the rules of audiences look at. */
export interface AudienceMember {
  userId: number;
  role: number;
  periods: ReadonlyMap<number, readonly Period[]>;
  /** Whether they want to see that others are writing. */
  receivesTyping: boolean;
}

const roleAdministrator = 200;
const roleGuest = 600;

/** Whether somebody was subscribed to a channel at a place in the log. */
export function wasSubscribed(member: AudienceMember, channelId: number, logId: number): boolean {
  const periods = member.periods.get(channelId);
  if (!periods) return false;
  return periods.some(
    ({ fromLog, toLog }) => fromLog < logId && (toLog === null || logId <= toLog),
  );
}

/** Whether somebody is subscribed to a channel as far as the log is known. */
export function isSubscribed(member: AudienceMember, channelId: number): boolean {
  return member.periods.get(channelId)?.some(({ toLog }) => toLog === null) ?? false;
}

/**
 * Whether the rule holds for a person at a place in the log. `wantsAllPublic`: the client asked for
 * all public channels.
 */
export function isAddressed(
  audience: Audience,
  member: AudienceMember,
  logId: number,
  wantsAllPublic: boolean,
): boolean {
  if (audience.except && isAmong(audience.except, member.userId)) return false;
  if (audience.roles && !isOfRoles(audience.roles, member)) return false;
  switch (audience.to) {
    case "realm":
      return true;
    case "administrators":
      return member.role <= roleAdministrator;
    case "users":
      return isAmong(audience.ids, member.userId);
    case "subscribers":
      return receives(audience, member, logId, wantsAllPublic);
    case "channelViewers":
      return isViewer(audience, member, logId);
    case "channelOutsiders":
      return isOutsider(audience, member, logId);
    case "readers":
    case "losers":
      return isOfMove(audience, member, logId);
    case "server":
      return false;
  }
}

/**
 * Longer lists are looked up in a set, which is made once: the list is asked about each client that
 * waits.
 */
const listedMax = 32;
const sets = new WeakMap<readonly number[], ReadonlySet<number>>();

function isAmong(userIds: readonly number[], userId: number): boolean {
  if (userIds.length <= listedMax) return userIds.includes(userId);
  const known = sets.get(userIds) ?? new Set(userIds);
  sets.set(userIds, known);
  return known.has(userId);
}

const isOfRoles = (
  { from, to, or }: NonNullable<Audience["roles"]>,
  { userId, role }: AudienceMember,
) => userId === or || (from <= role && role <= to);

/** Facts about a channel that decide who may know of it. */
type Sight = Pick<ChannelPlace, "channelId" | "isPrivate" | "isWebPublic"> & { also?: number[] };

function isOutsider(
  sight: Omit<Sight, "isPrivate">,
  member: AudienceMember,
  logId: number,
): boolean {
  if (member.role === roleGuest && !sight.isWebPublic) return false;
  return !isViewer({ ...sight, isPrivate: true, isWebPublic: false }, member, logId);
}

function isViewer(
  { channelId, isPrivate, isWebPublic, also }: Sight,
  member: AudienceMember,
  logId: number,
): boolean {
  if (isWebPublic || wasSubscribed(member, channelId, logId)) return true;
  if (member.role === roleGuest) return false;
  return (
    !isPrivate ||
    member.role <= roleAdministrator ||
    (also !== undefined && isAmong(also, member.userId))
  );
}

/** Content is shown to those who got it at the time, and only while they may still read it. */
function receives(
  place: ChannelPlace,
  member: AudienceMember,
  logId: number,
  wantsAllPublic: boolean,
): boolean {
  const { channelId, guardedPlace } = place;
  const isOpen = mayReadAll(place, member);
  if (wantsAllPublic && isOpen) return true;
  if (guardedPlace !== undefined && !wasThere(member, channelId, guardedPlace)) return false;
  return wasSubscribed(member, channelId, logId) && (isOpen || isSubscribed(member, channelId));
}

function isOfMove(
  { to, from, into }: { to: "readers" | "losers"; from: ChannelPlace; into: ChannelPlace },
  member: AudienceMember,
  logId: number,
): boolean {
  const { guardedPlace } = from;
  const had =
    wasSubscribed(member, from.channelId, logId) &&
    (guardedPlace === undefined || wasThere(member, from.channelId, guardedPlace));
  const isIn = wasSubscribed(member, into.channelId, logId);
  if (to === "losers") return had && !isIn && !mayReadAll(into, member);
  const isStillIn = mayReadAll(into, member) || (isIn && isSubscribed(member, into.channelId));
  return isStillIn && (had || (isIn && isViewer(from, member, logId)));
}

/** Whether somebody may read a channel without being in it. */
const mayReadAll = (
  { isPrivate, isWebPublic }: Omit<Sight, "channelId">,
  { role }: AudienceMember,
) => !isPrivate && (role !== roleGuest || isWebPublic === true);

/** Whether somebody was subscribed when a message was placed in a channel. */
const wasThere = ({ periods }: AudienceMember, channelId: number, messageId: number) =>
  (periods.get(channelId) ?? []).some(
    ({ fromMessage, toMessage }) =>
      fromMessage < messageId && (toMessage === null || messageId <= toMessage),
  );
