import { Rare } from "../parts/rare";

/**
 * Notifications of this browser: whether it allows them, and a button that tries one. It stands
 * first in the section of notifications.
 */
export const BrowserNotifications = () => (
  <Rare name="notifications" draw={({ NotificationsHere }) => <NotificationsHere />} />
);
