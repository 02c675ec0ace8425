import { computed, signal } from "@preact/signals";
import type { UserSettings } from "../model/wire";
import { patch } from "../net/api";
import { save, untilTold } from "./saving";
import { settings } from "./state";

/** Settings that the person may change, under their names in the protocol. */
export type OwnSettings = Omit<UserSettings, "available_notification_sounds" | "emojiset_choices">;
export type SettingName = keyof OwnSettings;

/** Changed settings that no event has confirmed yet. */
const wished = signal<Readonly<Partial<OwnSettings>>>({});

/** The person's settings. Settings that are being changed already have their new values. */
export const ownSettings = computed<OwnSettings>(() => ({ ...settings.value, ...wished.value }));

/**
 * Changes a setting, together with `others`, which no control shows. The new value is shown at
 * once, and the old one returns if the server refuses.
 */
export async function changeSetting<Name extends SettingName>(
  name: Name,
  value: OwnSettings[Name],
  others: Readonly<Record<string, boolean>> = {},
): Promise<void> {
  wished.value = { ...wished.peek(), [name]: value };
  if (await save(name, () => patch("/settings", { ...others, [name]: value ?? "null" }))) {
    await untilTold(() => settings.value[name] === value);
  }
  if (wished.peek()[name] === value) wished.value = without(wished.peek(), name);
}

const without = (
  settings: Readonly<Partial<OwnSettings>>,
  name: SettingName,
): Readonly<Partial<OwnSettings>> =>
  Object.fromEntries(Object.entries(settings).filter(([other]) => other !== name));
