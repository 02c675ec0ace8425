import { type Static, Type } from "@sinclair/typebox";
import { isoTime } from "../core/clock";
import type { RealmRow, UserRow } from "../core/context";
import { roles } from "../core/role";
import type { Onlooker } from "../core/sight";
import { anonymousPicture, avatarUrl } from "./avatar";
import { parseProfileData } from "./profile-data";
import { placeholderEmail } from "./queries";
import { shownPerson, unknownName } from "./shown";

const nullable = <Schema extends ReturnType<typeof Type.Integer> | ReturnType<typeof Type.String>>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** The protocol's user object (`spec/seed.md`, User object). */
export const userObject = Type.Object({
  user_id: Type.Integer(),
  delivery_email: nullable(Type.String()),
  email: Type.String(),
  full_name: Type.String(),
  date_joined: Type.String(),
  is_active: Type.Boolean(),
  is_owner: Type.Boolean(),
  is_admin: Type.Boolean(),
  is_guest: Type.Boolean(),
  is_bot: Type.Boolean(),
  bot_type: nullable(Type.Integer()),
  bot_owner_id: nullable(Type.Integer()),
  role: Type.Integer(),
  timezone: Type.String(),
  avatar_url: nullable(Type.String()),
  avatar_version: Type.Integer(),
  is_imported_stub: Type.Boolean(),
  is_deleted: Type.Optional(Type.Literal(true)),
  profile_data: Type.Optional(
    Type.Record(Type.String(), Type.Object({ value: Type.String(), rendered_value: Type.Optional(Type.String()) })),
  ),
});

export type UserObject = Static<typeof userObject>;

/** How a client wants its users, and who looks at them. */
export interface UserView {
  /** The client makes the addresses of pictures itself, so they are left out. */
  clientGravatar: boolean;
  /** Whether people are shown with their custom profile fields. */
  includeProfileData: boolean;
  onlooker: Onlooker;
  realmHost: string;
}

const dateLength = "2026-11-21".length;

/** A user whom the onlooker sees. Where the real address is not theirs to read, a placeholder stands for it. */
export function userWire(user: UserRow, view: UserView): UserObject {
  const shown = shownPerson(user, view);
  const { email, mayReadAddress } = shown;
  const isBot = user.botType !== null;
  const dateJoined = isoTime(user.createdAt);
  // The web is not told where people are, nor at what hour they came.
  const isForWeb = view.onlooker.role > roles.guest;
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

/** What stands for a person whom a guest does not see, for clients that need an entry for each id that they come across. */
export function unknownUserWire(userId: number, { id, host, createdAt }: RealmRow): UserObject {
  const email = placeholderEmail(host, userId);
  const picture = anonymousPicture({ id: userId, realmId: id });
  return {
    user_id: userId,
    delivery_email: null,
    email,
    full_name: unknownName,
    date_joined: isoTime(createdAt),
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

/** A bot of chatd's own, as `register` lists it among the cross-realm bots. */
export const systemBotWire = (bot: UserRow, view: Omit<UserView, "includeProfileData">) => ({
  ...userWire(bot, { ...view, includeProfileData: false }),
  is_system_bot: true,
});
