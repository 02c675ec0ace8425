/**
 * Who gets an event: a rule, resolved when the event is delivered, as of its place in the log. Whether a channel was
 * private at that moment is part of the rule, so that a later change of privacy does not change who heard.
 */
export type Audience = (
  | { to: "realm" }
  | { to: "administrators" }
  | { to: "users"; ids: number[] }
  /**
   * Subscribers of a channel: those who receive what is sent there. With `guardedPlace` it is about something of a channel
   * with protected history that stands at that message id: only those hear of it who were subscribed then.
   */
  | { to: "subscribers"; channelId: number; isPrivate: boolean; guardedPlace?: number }
  /** Those who may know that a channel exists: everyone but guests if public, administrators if not; its subscribers. */
  | { to: "channelViewers"; channelId: number; isPrivate: boolean }
  /** Nobody: a signal between chatd's own parts. */
  | { to: "server" }
) & { except?: number[] };

/**
 * A time during which somebody was subscribed: the log's entries with `fromLog < id <= toLog` and the messages with
 * `fromMessage < id <= toMessage`, open at its end when null.
 */
export interface Period {
  channelId: number;
  fromLog: number;
  toLog: number | null;
  fromMessage: number;
  toMessage: number | null;
}

/** What the rules look at in a person. */
export interface AudienceMember {
  userId: number;
  role: number;
  periods: ReadonlyMap<number, readonly Period[]>;
}

const roleAdministrator = 200;
const roleGuest = 600;

/** Whether somebody was subscribed to a channel at a place in the log. */
export function wasSubscribed(member: AudienceMember, channelId: number, logId: number): boolean {
  const periods = member.periods.get(channelId);
  if (!periods) return false;
  return periods.some(({ fromLog, toLog }) => fromLog < logId && (toLog === null || logId <= toLog));
}

/** Whether somebody is subscribed to a channel as far as the log is known. */
export function isSubscribed(member: AudienceMember, channelId: number): boolean {
  return member.periods.get(channelId)?.some(({ toLog }) => toLog === null) ?? false;
}

/** Whether the rule holds for a person at a place in the log. `wantsAllPublic`: the client asked for all public channels. */
export function isAddressed(
  audience: Audience,
  member: AudienceMember,
  logId: number,
  wantsAllPublic: boolean,
): boolean {
  if (audience.except?.includes(member.userId)) return false;
  switch (audience.to) {
    case "realm":
      return true;
    case "administrators":
      return member.role <= roleAdministrator;
    case "users":
      return audience.ids.includes(member.userId);
    case "subscribers":
      return receives(audience, member, logId, wantsAllPublic);
    case "channelViewers":
      if (wasSubscribed(member, audience.channelId, logId)) return true;
      return audience.isPrivate ? member.role <= roleAdministrator : member.role !== roleGuest;
    case "server":
      return false;
  }
}

/** Content is shown to those who got it at the time, and only while they may still read it. */
function receives(
  { channelId, isPrivate, guardedPlace }: { channelId: number; isPrivate: boolean; guardedPlace?: number },
  member: AudienceMember,
  logId: number,
  wantsAllPublic: boolean,
): boolean {
  const mayReadAll = !isPrivate && member.role !== roleGuest;
  if (wantsAllPublic && mayReadAll) return true;
  if (guardedPlace !== undefined && !wasThere(member, channelId, guardedPlace)) return false;
  return wasSubscribed(member, channelId, logId) && (mayReadAll || isSubscribed(member, channelId));
}

/** Whether somebody was subscribed when a message was placed in a channel. */
const wasThere = ({ periods }: AudienceMember, channelId: number, messageId: number) =>
  (periods.get(channelId) ?? []).some(
    ({ fromMessage, toMessage }) => fromMessage < messageId && (toMessage === null || messageId <= toMessage),
  );
