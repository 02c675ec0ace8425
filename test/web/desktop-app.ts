import type { Page } from "playwright-core";
import { setUpScreen } from "./notification-screen";

/*
 * The desktop app around a page: the interface that it gives to the page, as its own code has it,
 * and Electron, which shows nothing of a service worker and lets a page sound before it is used.
 * Electron keeps one listener of a tag. If a tag is used again, the close of the earlier
 * notification reaches the newest listener. Notifications stay when the page goes.
 */

/** Runs in a page, after the screen is set up. */
function setUpElectron(): void {
  const { prototype } = ServiceWorkerRegistration;
  Object.assign(prototype, {
    showNotification: async () => undefined,
    getNotifications: async () => [],
  });
  AudioContext.prototype.resume = async () => undefined;
}

/** Runs in a page. */
function setUpDesktopApp(): void {
  type Dispatch = (type: string, event: object) => boolean;
  interface Listener {
    readonly dispatch: Dispatch;
    state: "loading" | "showing" | "closed";
  }
  const keptAs = "screen of the desktop app";
  const shown = new Map<string, object>(JSON.parse(sessionStorage.getItem(keptAs) ?? "[]"));
  const listeners = new Map<string, Listener>();
  const told: unknown[] = [];
  const keep = () => sessionStorage.setItem(keptAs, JSON.stringify([...shown]));
  const hearClose = (listener: Listener | undefined) => {
    if (!listener) return;
    listener.state = "closed";
    listener.dispatch("close", {});
  };
  const end = (tag: string) => {
    if (!shown.delete(tag)) return;
    keep();
    setTimeout(() => {
      const newest = listeners.get(tag);
      listeners.delete(tag);
      hearClose(newest);
    });
  };
  const display = (tag: string, options: object, listener: Listener) => {
    const before = listeners.get(tag);
    listeners.set(tag, listener);
    hearClose(before);
    listener.state = "showing";
    end(tag);
    shown.set(tag, options);
    keep();
    setTimeout(() => listeners.get(tag)?.dispatch("show", {}));
  };
  const newNotification = (title: string, given: NotificationOptions, dispatch: Dispatch) => {
    const options = structuredClone(given);
    const { tag = "", body, data } = options;
    const listener: Listener = { dispatch, state: "loading" };
    const picture = Promise.resolve(Reflect.get(globalThis, "picture"));
    void picture.then(() => display(tag, { ...options, title, silent: true }, listener));
    told.push(body);
    const close = () => {
      if (listener.state === "showing") end(tag);
    };
    return { title, tag, data, close };
  };
  Object.assign(globalThis, {
    told,
    shownNotifications: shown,
    listeners,
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
  await page.addInitScript(setUpElectron);
  await page.addInitScript(setUpDesktopApp);
  await page.reload();
  await page.locator(".shell[data-whole=true]").waitFor();
}

/** Bodies of all notifications that the app was told to show, in their order. */
export const readTold = (): unknown => Reflect.get(globalThis, "told");

/** Holds the pictures of notifications back, without which none is shown. */
export const holdPictures = (): void => {
  const { promise: picture, resolve: letPicturesLoad } = Promise.withResolvers<void>();
  Object.assign(globalThis, { picture, letPicturesLoad });
};

export const letPicturesLoad = (): void => Reflect.get(globalThis, "letPicturesLoad")();

/** Clicks the notification with a body. */
export const clickOnScreen = (wanted: string): void => {
  for (const [tag, { body }] of Reflect.get(globalThis, "shownNotifications"))
    if (body === wanted) Reflect.get(globalThis, "listeners").get(tag)?.dispatch("click", {});
};
