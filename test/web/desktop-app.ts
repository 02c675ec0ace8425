import type { Page } from "playwright-core";
import { setUpScreen } from "./notification-screen";

/*
 * The desktop app around a page: the interface that it gives to the page, as its own code has it, and
 * Electron, which shows nothing of a service worker and lets a page sound before it is used.
 */

/** Runs in a page, after the screen is set up. */
function setUpDesktopApp(): void {
  type Dispatch = (type: string, event: object) => boolean;
  const shown = new Map<string, { readonly dispatch: Dispatch }>();
  const told: unknown[] = [];
  const newNotification = (title: string, given: NotificationOptions, dispatch: Dispatch) => {
    const options = structuredClone(given);
    const tag = options.tag ?? "";
    const end = (one = shown.get(tag)) => {
      if (!one || shown.get(tag) !== one) return;
      shown.delete(tag);
      setTimeout(() => one.dispatch("close", {}));
    };
    end();
    const own = { ...options, title, silent: true, dispatch };
    shown.set(tag, own);
    told.push(options.body);
    return { title, tag, data: options.data, close: () => end(own) };
  };
  const { prototype } = ServiceWorkerRegistration;
  Object.assign(prototype, {
    showNotification: async () => undefined,
    getNotifications: async () => [],
  });
  AudioContext.prototype.resume = async () => undefined;
  Object.assign(globalThis, {
    told,
    shownNotifications: shown,
    electron_bridge: {
      send_event: () => true,
      on_event: () => undefined,
      new_notification: newNotification,
    },
  });
}

/** Loads a page anew as the desktop app does. */
export async function openInDesktopApp(page: Page): Promise<void> {
  await page.addInitScript<NotificationPermission>(setUpScreen, "granted");
  await page.addInitScript(setUpDesktopApp);
  await page.reload();
  await page.locator(".shell[data-whole=true]").waitFor();
}

/** Bodies of all notifications that the app was told to show, in their order. */
export const readTold = (): unknown => Reflect.get(globalThis, "told");

/** Clicks the notification with a body. */
export const clickOnScreen = (wanted: string): void => {
  for (const { body, dispatch } of Reflect.get(globalThis, "shownNotifications").values())
    if (body === wanted) dispatch("click", {});
};
