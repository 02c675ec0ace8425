import { conversationKey } from "../model/conversations";
import type { FlaggedMessage } from "../model/message";
import {
  factsOfNotification,
  type NotificationFacts,
  notificationTag,
  type ScreenOptions,
  withMessageId,
} from "../model/notification";
import { afterOthers } from "../store/one-tab";
import { me } from "../store/state";
import { notificationWords as words } from "../words/notifications";
import { appScreen, type NotificationScreen } from "./app-screen";
import { isInDesktopApp } from "./bridge";
import { permission } from "./permission";
import { fragmentTo, iconFor, textOf, titleOf } from "./texts";
import { workerRegistration } from "./worker";

/**
 * Calls a function that changes the shown notifications, one call after the other, if notifications
 * are allowed.
 */
const onScreen = (run: (screen: NotificationScreen) => Promise<void>): Promise<void> =>
  afterOthers("notifications", async () => {
    if (permission.peek() !== "granted") return;
    const screen = isInDesktopApp ? appScreen : await workerRegistration();
    if (screen) await run(screen);
  });

/**
 * Shows a message. The notification replaces the previous one of its conversation. Unless it is
 * silent, it sounds as the system is set.
 */
export const showMessage = (message: FlaggedMessage, isSilent: boolean): Promise<void> =>
  onScreen(async (screen) => {
    const tag = notificationTag(me.peek(), conversationKey(message, me.peek()));
    const [before] = await screen.getNotifications({ tag });
    const messageIds = withMessageId(
      factsOfNotification(before?.data)?.messageIds ?? [],
      message.id,
    );
    const title = titleOf(message);
    const facts: NotificationFacts = {
      userId: me.peek(),
      fragment: fragmentTo(message),
      title,
      messageIds,
    };
    const options: ScreenOptions = {
      tag,
      renotify: true,
      silent: isSilent,
      body: textOf(message),
      data: facts,
      ...iconFor(message),
    };
    const count = messageIds.length;
    await screen.showNotification(count === 1 ? title : words.several(title, count), options);
  });

/** Removes the person's notifications whose messages are all read. */
export const endNotifications = (isUnread: (messageId: number) => boolean): Promise<void> =>
  onScreen(async (screen) => {
    for (const notification of await screen.getNotifications()) {
      const facts = factsOfNotification(notification.data);
      if (facts?.userId === me.peek() && !facts.messageIds.some(isUnread)) notification.close();
    }
  });

/** Shows a sample notification. */
export const showTest = (title: string): Promise<void> =>
  onScreen((screen) =>
    screen.showNotification(title, { tag: "chatd test", body: words.testText, silent: true }),
  );
