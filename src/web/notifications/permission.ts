import { signal } from "@preact/signals";

/** Whether the browser shows notifications of this site: it was not asked yet, or the person's answer. */
export type Permission = NotificationPermission | "unsupported";

/**
 * Notifications are shown by the service worker, so that it can react to a click even without the
 * page.
 */
const isSupported = "Notification" in globalThis && "serviceWorker" in navigator;

const current = (): Permission => (isSupported ? Notification.permission : "unsupported");

export const permission = signal<Permission>(current());

/** Asks the person for the permission; browsers allow that only after a click or a key. */
export async function askPermission(): Promise<void> {
  if (!isSupported) return;
  await Notification.requestPermission();
  permission.value = current();
}

/** Follows the permission, which the person may change in the browser at any time. */
export async function followPermission(): Promise<void> {
  if (!isSupported || !("permissions" in navigator)) return;
  try {
    const status = await navigator.permissions.query({ name: "notifications" });
    status.onchange = () => {
      permission.value = current();
    };
  } catch {
    // A browser that cannot tell of changes has the new permission at the next load.
  }
}
