import { effect } from "@preact/signals";
import { titleCount } from "../store/inbox";
import { organization } from "../store/state";

declare global {
  /**
   * The interface of the protocol's desktop app, if the page is open in it. The app shows these
   * facts.
   */
  var electron_bridge: { send_event?(name: string, value: unknown): unknown } | undefined;
}

/** Tells the desktop app the organization's name and icon, and the number of unread messages. */
export function followDesktopApp(): void {
  const bridge = globalThis.electron_bridge;
  if (!bridge?.send_event) return;
  effect(() => void bridge.send_event?.("total_unread_count", titleCount.value));
  effect(() => void bridge.send_event?.("realm_name", organization.value.name));
  effect(() => {
    const { href } = new URL(organization.value.icon_url, location.href);
    bridge.send_event?.("realm_icon_url", href);
  });
}
