declare global {
  /**
   * The interface of the protocol's desktop app, if the page is open in it. The app shows facts
   * that the page sends, and tells the page what is chosen in the app's own menu.
   */
  var electron_bridge: Bridge | undefined;
}

export interface Bridge {
  send_event?(name: string, value: unknown): unknown;
  on_event?(name: string, listen: () => void): unknown;
  /**
   * Shows a notification, which is always silent. A click on it brings the app's window to the
   * front. The app calls `hear` with the name of each event of the notification.
   */
  new_notification?(
    title: string,
    options: NotificationOptions,
    hear: (event: string) => boolean,
  ): { close(): void };
}

/**
 * Whether the page is open in the desktop app. It is made with Electron, which shows no
 * notifications of a service worker, has no push service, and lets a page play sounds before it is
 * used.
 */
export const isInDesktopApp = globalThis.electron_bridge !== undefined;
