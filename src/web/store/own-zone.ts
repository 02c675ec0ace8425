import { patch, Refusal } from "../net/api";
import { changeSetting } from "./own-settings";
import { isKeptPage } from "./snapshot";
import { settings } from "./state";
import { zone } from "./zone";

/**
 * Zones that a browser names to hide where it is: zones of no place, and in Firefox that of
 * Iceland, which has the time of UTC.
 */
const isHiding = (name: string): boolean => /^(?:UTC|GMT|Etc\/|Atlantic\/Reykjavik$)/.test(name);

/**
 * Stores the time zone of the device for an account that has none, so that others are told the
 * person's local time. A person who wants none has said so by `chooseZone`.
 */
export async function storeZoneHere(): Promise<void> {
  // A stored state may be older than the person's choice.
  if (isKeptPage) return;
  const { timezone, web_suggest_update_timezone: isWanted } = settings.peek();
  const here = zone.peek();
  if (timezone !== "" || !isWanted || isHiding(here)) return;
  try {
    await patch("/settings", { timezone: here });
  } catch (error) {
    // The next page tries again.
    if (!(error instanceof Refusal)) throw error;
  }
}

/**
 * Changes the person's time zone; none, which is an empty text, also means that none is stored
 * again.
 */
export const chooseZone = (name: string): Promise<void> =>
  changeSetting("timezone", name, name === "" ? { web_suggest_update_timezone: false } : {});
