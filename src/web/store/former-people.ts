import { comesBack, type LocalDraft } from "../model/local-drafts";
import { storedKeys } from "./kept-rows";
import { snapshot } from "./snapshot";

/** Keys of what a sign-out removes, with the id of the person. */
const personalKey = /^chatd (searches|emoji|draft|draft-attempt) (\d+)(?: |$)/;

/**
 * Removes the texts, searches and used emoji that a sign-out removes, of other people who used this
 * browser before. Pages of the server sign people out, too, but cannot remove anything, and some
 * sessions just end.
 */
export function forgetFormerPeople(): void {
  for (const key of storedKeys()) {
    const [, name, id] = personalKey.exec(key) ?? [];
    if (id === undefined || Number(id) === snapshot.user_id) continue;
    if (name !== "draft" || isOnServer(key, Number(id))) localStorage.removeItem(key);
  }
}

/** Whether a text comes back to somebody from the server. One that cannot be read stays. */
function isOnServer(key: string, userId: number): boolean {
  try {
    const row: LocalDraft = JSON.parse(localStorage.getItem(key) ?? "");
    return comesBack(row, userId);
  } catch {
    return false;
  }
}
