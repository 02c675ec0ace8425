import { roles } from "../../protocol/roles";
import type { Actor } from "../context";

export { roles };

export type RoleName = keyof typeof roles;
export type Role = (typeof roles)[RoleName];

const entries: readonly (readonly [RoleName, Role])[] = [
  ["owner", roles.owner],
  ["administrator", roles.administrator],
  ["moderator", roles.moderator],
  ["member", roles.member],
  ["guest", roles.guest],
];

export const roleNames = entries.map(([name]) => name);

/** The role by its name on the command line or in an organization's file. */
export const findRole = (name: string): Role | undefined =>
  entries.find(([one]) => one === name)?.[1];

export const isRole = (value: number): value is Role => entries.some(([, role]) => role === value);

/** The name of a stored role. */
export const roleName = (role: number): RoleName =>
  entries.find(([, one]) => one === role)?.[0] ?? "guest";

/** The names of roles in German. */
export const germanRoles: ReadonlyMap<number, string> = new Map([
  [roles.owner, "Besitzer"],
  [roles.administrator, "Administrator"],
  [roles.moderator, "Moderator"],
  [roles.member, "Mitglied"],
  [roles.guest, "Gast"],
]);

/** Whether a role may administer the organization, as owners may too. */
export const isAdministrator = (role: number) => role <= roles.administrator;

export const isGuest = (role: number) => role >= roles.guest;

/** Whether the actor is exempt from all rules: the operator, and the server's own work. */
export const isUnbound = (actor: Actor) => actor.kind === "operator" || actor.kind === "job";

/** Whether the actor has this role or a higher one. */
export const holdsRole = (actor: Actor, name: RoleName) =>
  isUnbound(actor) || ("user" in actor && actor.user.role <= roles[name]);
