import { patch, Refusal } from "../net/api";
import { changeSetting } from "./own-settings";
import { settings } from "./state";

/** The time zone of the device. */
export const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Zones of no place: browsers that hide where they are name them. */
const isOfNoPlace = (zone: string): boolean => /^(?:UTC|GMT|Etc\/)/.test(zone);

/**
 * Stores the time zone of the device for an account that has none, so that others are told the
 * person's local time. A person who wants none has said so by `chooseZone`.
 */
export async function storeZoneHere(): Promise<void> {
  const { timezone, web_suggest_update_timezone: isWanted } = settings.peek();
  const zone = zoneHere();
  if (timezone !== "" || !isWanted || isOfNoPlace(zone)) return;
  try {
    await patch("/settings", { timezone: zone });
  } catch (error) {
    // The next page tries again.
    if (!(error instanceof Refusal)) throw error;
  }
}

/** Changes the person's time zone; none, which is an empty text, also means that none is stored again. */
export async function chooseZone(zone: string): Promise<void> {
  if (zone === "") await changeSetting("web_suggest_update_timezone", false);
  await changeSetting("timezone", zone);
}
