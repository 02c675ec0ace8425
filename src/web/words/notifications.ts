import { notifications } from "./en/notifications";

/** Texts of notifications, which are loaded after the first view. */
export const notificationWords: typeof notifications =
  globalThis.chatdLanguage?.parts.notifications ?? notifications;
