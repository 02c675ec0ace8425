import type { UserRow } from "../context";
import { parseStoredSettings } from "./group-setting";
import { roles } from "./role";

/** Somebody who looks at people, by the facts that decide how much of each they are shown. */
export interface Viewer {
  userId: number;
  role: number;
  /**
   * The people whom they may see, among the people in question; undefined where they see everybody.
   */
  seen: ReadonlySet<number> | undefined;
}

/** The operator and the server itself, who see everything. */
export const allSeeing: Viewer = { userId: 0, role: 0, seen: undefined };

/** Columns of a person that decide who may read their address. */
export type Addressed = Pick<UserRow, "id" | "botType" | "settings">;

/**
 * The lowest role that reads real addresses, by the protocol's `email_address_visibility`; 0 is
 * nobody's role.
 */
const readersByVisibility: Readonly<Record<number, number>> = {
  1: roles.guest,
  2: roles.member,
  3: roles.administrator,
  4: 0,
  5: roles.moderator,
};

/**
 * Settings are stored only where they differ from their default, and by default everybody reads the
 * address.
 */
const visibilityKey = "email_address_visibility";

/**
 * Number of settings texts that are cached parsed, because many people still have their initial
 * settings.
 */
const textsMax = 256;
const readersByText = new Map<string, number>();

/**
 * The lowest role that may read somebody's real address, as a number. Everybody may read those of
 * bots.
 */
export function addressReaders({ botType, settings }: Omit<Addressed, "id">): number {
  if (botType !== null) return roles.guest;
  return readersByText.get(settings) ?? readersIn(settings);
}

function readersIn(settings: string): number {
  if (!settings.includes(visibilityKey)) return roles.guest;
  const readers =
    readersByVisibility[Number(parseStoredSettings(settings)[visibilityKey])] ?? roles.guest;
  if (readersByText.size >= textsMax) readersByText.clear();
  readersByText.set(settings, readers);
  return readers;
}

/** Whether everybody may read somebody's real address, which is the default. */
export const isAddressOpen = (person: Omit<Addressed, "id">) =>
  addressReaders(person) === roles.guest;

/** A person whose real address not everybody may read, with the lowest role that may. */
export interface GuardedPerson {
  id: number;
  readers: number;
}

/** The people among some whose real addresses not everybody may read. */
export const guardedAmong = (people: readonly Addressed[]): GuardedPerson[] =>
  people
    .filter((person) => !isAddressOpen(person))
    .map((person) => ({ id: person.id, readers: addressReaders(person) }));

/** Whether a viewer may read a guarded address. Everybody may read their own. */
export const mayReadGuarded = (
  { userId, role }: Pick<Viewer, "userId" | "role">,
  { id, readers }: GuardedPerson,
): boolean => id === userId || role <= readers;

/** Whether a viewer may read somebody's real address. */
export const mayReadAddress = (
  viewer: Pick<Viewer, "userId" | "role">,
  person: Addressed,
): boolean => mayReadGuarded(viewer, { id: person.id, readers: addressReaders(person) });

/** Whether a viewer sees somebody. Everybody sees bots. */
export const sees = (
  { userId, seen }: Viewer,
  { id, botType }: Pick<UserRow, "id" | "botType">,
): boolean => seen === undefined || botType !== null || id === userId || seen.has(id);
