import { factsOfNotification, type ScreenOptions } from "../model/notification";
import { uniqueName } from "../store/unique-name";

/** A notification on the screen. */
interface Shown {
  readonly data: unknown;
  close(): void;
}

/** Shows notifications: the registration of a service worker, or the desktop app. */
export interface NotificationScreen {
  showNotification(title: string, options: ScreenOptions): Promise<void>;
  getNotifications(filter?: { readonly tag: string }): Promise<readonly Shown[]>;
}

/**
 * Notifications of this page that the desktop app shows, by tag. No other page has any, because an
 * organization has one page in the app.
 */
const shown = new Map<string, Shown>();

/** The screen of the desktop app. */
export const appScreen: NotificationScreen = {
  showNotification: async (title, options) => show(title, options),
  getNotifications: async (filter) =>
    [...shown].flatMap(([tag, one]) => (filter && filter.tag !== tag ? [] : [one])),
};

// Nothing would hear a click on them, or close them, when the page is gone.
addEventListener("pagehide", () => {
  for (const one of shown.values()) one.close();
});

/**
 * Shows a notification instead of an earlier one with its tag. Each has a tag of its own in the
 * app, because if one is used again, the close of the earlier notification ends the listener of the
 * new one. One whose picture is still loading cannot be closed yet: it is closed when it is shown.
 */
function show(title: string, options: ScreenOptions): void {
  const { tag = "", data } = options;
  shown.get(tag)?.close();
  const forget = () => {
    if (shown.get(tag) === one) shown.delete(tag);
  };
  const own = { ...options, tag: uniqueName() };
  const notification = globalThis.electron_bridge?.new_notification?.(title, own, (event) => {
    if (event === "click") open(one);
    if (event === "close") forget();
    if (event === "show" && shown.get(tag) !== one) notification?.close();
    return true;
  });
  const one: Shown = {
    data,
    close: () => {
      forget();
      notification?.close();
    },
  };
  shown.set(tag, one);
}

/** Opens the message of a notification. The app brings its window to the front by itself. */
function open(clicked: Shown): void {
  clicked.close();
  const facts = factsOfNotification(clicked.data);
  if (facts) location.hash = facts.fragment;
}
