import { effect } from "@preact/signals";
import { logOut } from "../keys/commands";
import { openHelp } from "../keys/overlay";
import { titleCount } from "../store/inbox";
import { organization } from "../store/state";
import type { Bridge } from "./bridge";

/** Exchanges facts and commands with the desktop app. */
export function followDesktopApp(): void {
  const bridge = globalThis.electron_bridge;
  if (!bridge) return;
  tellFacts(bridge);
  hearMenu(bridge);
}

/** Tells the desktop app the organization's name and icon, and the number of unread messages. */
function tellFacts(bridge: Bridge): void {
  effect(() => void bridge.send_event?.("total_unread_count", titleCount.value));
  effect(() => void bridge.send_event?.("realm_name", organization.value.name));
  effect(() => {
    const { href } = new URL(organization.value.icon_url, location.href);
    bridge.send_event?.("realm_icon_url", href);
  });
}

/** Does what is chosen in the menu of the desktop app. */
function hearMenu(bridge: Bridge): void {
  bridge.on_event?.("logout", logOut);
  bridge.on_event?.("show-keyboard-shortcuts", openHelp);
  bridge.on_event?.("show-notification-settings", () => {
    location.hash = "#settings/notifications";
  });
}
