import type { Page } from "playwright-core";

/*
 * A screen for notifications. Debian's headless Chromium has none: it answers each page that it
 * refuses them. Everything before it, in the page and in the service worker, is as it is.
 */

/** A notification on the screen. */
export interface OnScreen {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly silent: boolean;
  /** Whether it calls the person again where it replaces another one. */
  readonly renotify: boolean;
}

/** Runs in a page or in a service worker. */
export function setUpScreen(answer: NotificationPermission | "unasked"): void {
  const shown = new Map<string, { title: string; close(): void } & NotificationOptions>();
  const turn = () => new Promise((resolve) => setTimeout(resolve));
  let permission: NotificationPermission = answer === "unasked" ? "default" : answer;
  const { prototype } = ServiceWorkerRegistration;
  Object.assign(prototype, {
    showNotification: async (title: string, options: NotificationOptions = {}) => {
      const tag = options.tag ?? "";
      shown.delete(tag);
      shown.set(tag, {
        body: "",
        ...structuredClone(options),
        title,
        close: () => void shown.delete(tag),
      });
    },
    getNotifications: async ({ tag }: { tag?: string } = {}) => {
      const there = [...shown.values()].filter((one) => tag === undefined || one.tag === tag);
      // A browser answers later, when others may have changed what is shown.
      await turn();
      return there;
    },
  });
  Object.assign(globalThis, { shownNotifications: shown });
  Object.defineProperty(Notification, "permission", { get: () => permission });
  Object.assign(Notification, {
    requestPermission: async () => {
      permission = "granted";
      return permission;
    },
  });
}

/** Notifications that a page, or a worker, has on the screen. */
export const readScreen = (): OnScreen[] => {
  const shown: ReadonlyMap<string, OnScreen> =
    Reflect.get(globalThis, "shownNotifications") ?? new Map();
  return [...shown.values()].map(({ title, body, tag, silent, renotify }) => ({
    title,
    body,
    tag,
    silent: silent === true,
    renotify: renotify === true,
  }));
};

/** Loads a tab anew with a screen, and waits until its service worker runs. */
export async function openScreen(
  page: Page,
  answer: NotificationPermission | "unasked" = "granted",
): Promise<void> {
  await page.addInitScript(setUpScreen, answer);
  await page.reload();
  await page.locator(".shell[data-whole=true]").waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
}

/** Waits until a tab's screen has these texts, and no others. */
export async function screenHas(page: Page, bodies: readonly string[]): Promise<void> {
  await page.waitForFunction((wanted) => {
    const shown = Reflect.get(globalThis, "shownNotifications");
    if (!(shown instanceof Map)) return false;
    return JSON.stringify([...shown.values()].map(({ body }) => body)) === wanted;
  }, JSON.stringify(bodies));
}
