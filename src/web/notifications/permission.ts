import { signal } from "@preact/signals";

/** Whether the browser shows notifications of this site: not asked yet, or the person's answer. */
export type Permission = NotificationPermission | "unsupported";

/**
 * The service worker shows notifications, so that it can react to a click even without the page.
 * The desktop app, which has both, shows them itself.
 */
const isSupported = "Notification" in globalThis && "serviceWorker" in navigator;

const current = (): Permission => (isSupported ? Notification.permission : "unsupported");

export const permission = signal<Permission>(current());

/** Asks for the permission. Browsers only allow that after a click or a key press. */
export async function askPermission(): Promise<void> {
  if (!isSupported) return;
  await Notification.requestPermission();
  permission.value = current();
}

/** Follows the permission, which the person can change in the browser at any time. */
export async function followPermission(): Promise<void> {
  if (!isSupported || !("permissions" in navigator)) return;
  try {
    const status = await navigator.permissions.query({ name: "notifications" });
    status.onchange = () => {
      permission.value = current();
    };
  } catch {
    // In a browser that does not tell of changes, the new permission is seen after a reload.
  }
}
