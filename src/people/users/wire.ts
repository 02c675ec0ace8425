import { type Static, Type } from "@sinclair/typebox";
import { isoTimeWithOffset } from "../../core/clock";
import type { RealmRow, UserRow } from "../../core/context";
import { nullable } from "../../core/params";
import type { Viewer } from "../../core/rights/person-visibility";
import { roles } from "../../core/rights/role";
import { anonymousPicture, avatarUrl } from "./avatar";
import { parseProfileData, profileValueObject } from "./profile-data";
import { placeholderEmail } from "./queries";
import { shownPerson, unknownName } from "./shown";

/** The protocol's user object (`docs/protocol/specification.md`, User object). */
export const userObject = Type.Object(
  {
    user_id: Type.Integer(),
    delivery_email: nullable(
      Type.String({
        description: "Real e-mail address; null if you may not read it.",
      }),
    ),
    email: Type.String({
      description: "Name of the user in the API: the real address, or a placeholder for it.",
    }),
    full_name: Type.String(),
    date_joined: Type.String({
      description: "ISO 8601 in UTC; only the day for people who have not signed in.",
    }),
    is_active: Type.Boolean(),
    is_owner: Type.Boolean(),
    is_admin: Type.Boolean(),
    is_guest: Type.Boolean(),
    is_bot: Type.Boolean(),
    bot_type: nullable(
      Type.Integer({
        description:
          "1 generic bot, 2 incoming webhook, 3 outgoing webhook, 4 embedded bot; null for people.",
      }),
    ),
    bot_owner_id: nullable(Type.Integer()),
    role: Type.Integer({
      description: "100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.",
    }),
    timezone: Type.String({ description: "IANA time zone; empty where it is not known." }),
    avatar_url: nullable(
      Type.String({
        description:
          "Null for a Gravatar, whose address a client with `client_gravatar` makes itself.",
      }),
    ),
    avatar_version: Type.Integer(),
    is_imported_stub: Type.Boolean({
      description: "Whether the account was imported and nobody has used it yet.",
    }),
    is_deleted: Type.Optional(Type.Literal(true)),
    profile_data: Type.Optional(
      Type.Record(Type.String(), profileValueObject, {
        description: "By the ids of profile fields.",
      }),
    ),
  },
  { title: "User" },
);

export type UserObject = Static<typeof userObject>;

/** Form of users that a client wants, and the viewer. */
export interface UserView {
  /** The client makes the addresses of avatars itself, so they are left out. */
  clientGravatar: boolean;
  /** Whether custom profile fields are included. */
  includeProfileData: boolean;
  viewer: Viewer;
  realmHost: string;
}

const dateLength = "2026-11-21".length;

/**
 * A user for a viewer who sees them, with the placeholder where they may not read the real
 * address.
 */
export function userWire(user: UserRow, view: UserView): UserObject {
  const shown = shownPerson(user, view);
  const { email, mayReadAddress } = shown;
  const isBot = user.botType !== null;
  const dateJoined = isoTimeWithOffset(user.createdAt);
  // Spectators see neither time zones nor exact times of joining.
  const isForWeb = view.viewer.role > roles.guest;
  return {
    user_id: user.id,
    delivery_email: mayReadAddress ? user.email : null,
    email,
    full_name: user.fullName,
    date_joined: isForWeb ? dateJoined.slice(0, dateLength) : dateJoined,
    is_active: user.isActive,
    is_owner: user.role <= roles.owner,
    is_admin: user.role <= roles.administrator,
    is_guest: user.role >= roles.guest,
    is_bot: isBot,
    bot_type: user.botType,
    bot_owner_id: user.botOwnerId,
    role: user.role,
    timezone: isForWeb ? "" : user.timezone,
    avatar_url: avatarUrl(shown, view.clientGravatar && mayReadAddress),
    avatar_version: user.avatarVersion,
    is_imported_stub: user.isImportedStub,
    ...(user.isDeleted ? { is_deleted: true as const } : {}),
    ...(view.includeProfileData && !isBot ? { profile_data: parseProfileData(user) } : {}),
  };
}

/**
 * Entry for a person whom a guest does not see, for clients that need an entry for each id that
 * occurs.
 */
export function unknownUserWire(userId: number, { id, host, createdAt }: RealmRow): UserObject {
  const email = placeholderEmail(host, userId);
  const picture = anonymousPicture({ id: userId, realmId: id });
  return {
    user_id: userId,
    delivery_email: null,
    email,
    full_name: unknownName,
    date_joined: isoTimeWithOffset(createdAt),
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    bot_type: null,
    bot_owner_id: null,
    role: roles.member,
    timezone: "",
    avatar_url: avatarUrl({ email, picture }, false),
    avatar_version: picture.avatarVersion,
    is_imported_stub: false,
    profile_data: {},
  };
}

/** A system bot, as `register` lists it among the cross-realm bots. */
export const systemBotObject = Type.Object(
  { ...userObject.properties, is_system_bot: Type.Literal(true) },
  { title: "SystemBot" },
);

export const systemBotWire = (
  bot: UserRow,
  view: Omit<UserView, "includeProfileData">,
): Static<typeof systemBotObject> => ({
  ...userWire(bot, { ...view, includeProfileData: false }),
  is_system_bot: true,
});
