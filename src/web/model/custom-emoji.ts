import { lengthsMax } from "../../protocol/limits";
import { isAdministrator, isGuest, may } from "./permissions";
import type { Model } from "./snapshot";
import type { RealmEmoji } from "./wire";

/* The organization's own emoji: their names, and who may add and remove them. */

/** The greatest size of a picture. */
export const pictureMibMax = 5;

/** The greatest size of a picture that moves. */
export const movingMibMax = 1;

/** Whether the person may add emoji. */
export const mayAddEmoji = (model: Model): boolean =>
  !isGuest(model) && may(model, "can_add_custom_emoji_group");

/** Whether the person may remove an emoji: one of their own, or any as an administrator. */
export const mayRemoveEmoji = (model: Model, { author_id: authorId }: RealmEmoji): boolean =>
  isAdministrator(model) || (authorId === model.me && mayAddEmoji(model));

/** A typed name in the form in which the server stores it. */
export const cleanName = (typed: string): string => typed.trim().replaceAll(" ", "_");

/** A name from that of a picture's file, as far as it has letters and digits. */
export const nameOfFile = (fileName: string): string =>
  fileName
    .replace(/\.[^.]*$/, "")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^0-9a-z._-]+/g, "_")
    .slice(0, lengthsMax.emojiName)
    .replaceAll(/^[._-]+|[._-]+$/g, "");

/** Reasons for which a name cannot be taken. */
export type NameFault = "empty" | "characters" | "end" | "taken" | "builtIn";

interface NameContext {
  readonly model: Model;
  /** Names of the emoji that everybody has. */
  readonly builtIn: ReadonlySet<string>;
}

/** Why the server would refuse the clean name of a new emoji; undefined if it would not. */
export function faultOfName(name: string, { model, builtIn }: NameContext): NameFault | undefined {
  if (name === "") return "empty";
  if (!/^[0-9a-z._-]*$/.test(name)) return "characters";
  if (!/[0-9a-z]$/.test(name)) return "end";
  if (builtIn.has(name) && !isAdministrator(model)) return "builtIn";
  return usableEmoji(model.emoji).some((one) => one.name === name) ? "taken" : undefined;
}

/** The emoji that can be chosen. Removed ones are still in messages, reactions and statuses. */
export const usableEmoji = (emoji: Model["emoji"]): readonly RealmEmoji[] =>
  [...emoji.values()].filter(({ deactivated }) => !deactivated);
