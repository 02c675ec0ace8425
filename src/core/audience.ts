import { isOfMove, isOutsider, isViewer, receives } from "./reading-right/audience";
import type { Period } from "./reading-right/periods";
import { isAdministrator } from "./rights/role";
import { includesUser } from "./user-list";

/**
 * Audience of an event: a rule that is resolved when the event is delivered, as of its place in the
 * log. The rule includes whether a channel was private at that moment, so that a later change of
 * privacy does not change the audience.
 */
export type Audience = (
  | { to: "realm" }
  | { to: "administrators" }
  | { to: "users"; ids: number[] }
  /**
   * Subscribers of a channel, who receive its messages. `guardedPlace` is a message id in a channel
   * with protected history: only people who were subscribed at that message hear of the event.
   * `also`: users who hear of it without a subscription, if the channel is public.
   */
  | {
      to: "subscribers";
      channelId: number;
      isPrivate: boolean;
      guardedPlace?: number;
      also?: number[];
    }
  /**
   * People who may know that a channel exists: everyone if it is open to the web, everyone but
   * guests if it is public, administrators if it is private; its subscribers; and the users `also`,
   * unless they are guests.
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
  | MoveAudience
  /** Nobody: a signal between chatd's own parts. */
  | { to: "server" }
) & {
  except?: number[];
  /**
   * Narrows the audience to people who have a role with `from <= role <= to`, and the user `or`.
   */
  roles?: { from: number; to: number; or?: number };
};

/**
 * Audience of messages that move from one channel to another. `readers`: everybody who received
 * them in `from` and may read them in `into`; and subscribers of `into` to whom they are new, if
 * these may know of `from`. `losers`: everybody who received them in `from` and may not read them
 * in `into`. The event for these names the old topic, so they must still be able to read the
 * messages there. Otherwise they are `outsideReaders` and `outsideLosers`: mostly people who have
 * left `from` since.
 */
export interface MoveAudience {
  to: "readers" | "losers" | "outsideReaders" | "outsideLosers";
  from: ChannelPlace;
  into: ChannelPlace;
}

/**
 * A channel as of the event, and the place in its history that the event is about; see
 * `subscribers`.
 */
export interface ChannelPlace {
  channelId: number;
  isPrivate: boolean;
  /** Whether it is open to the web, and so to guests. */
  isWebPublic?: boolean;
  guardedPlace?: number;
}

/** Facts about a person that the rules of audiences look at. */
export interface AudienceMember {
  userId: number;
  role: number;
  periods: ReadonlyMap<number, readonly Period[]>;
  /** Whether they want to see that others are typing. */
  receivesTyping: boolean;
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
  if (audience.except && includesUser(audience.except, member.userId)) return false;
  if (audience.roles && !isOfRoles(audience.roles, member)) return false;
  switch (audience.to) {
    case "realm":
      return true;
    case "administrators":
      return isAdministrator(member.role);
    case "users":
      return includesUser(audience.ids, member.userId);
    case "subscribers":
      return receives(audience, member, logId, wantsAllPublic);
    case "channelViewers":
      return isViewer(audience, member, logId);
    case "channelOutsiders":
      return isOutsider(audience, member, logId);
    case "readers":
    case "losers":
    case "outsideReaders":
    case "outsideLosers":
      return isOfMove(audience, member, logId);
    case "server":
      return false;
  }
}

const isOfRoles = (
  { from, to, or }: NonNullable<Audience["roles"]>,
  { userId, role }: AudienceMember,
) => userId === or || (from <= role && role <= to);
