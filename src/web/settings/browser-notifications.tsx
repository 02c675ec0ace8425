import { Rare } from "../parts/rare";

/**
 * Notifications of this browser: whether it allows them, and a button that tries one. It comes
 * first in the section about notifications.
 */
export const BrowserNotifications = () => (
  <Rare name="notifications" draw={({ NotificationsHere }) => <NotificationsHere />} />
);
