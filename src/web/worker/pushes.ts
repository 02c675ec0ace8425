import type { GoWord } from "../model/go-word";
import {
  factsOfNotification,
  type NotificationFacts,
  notificationTag,
  type ScreenOptions,
  withMessageId,
} from "../model/notification";
import {
  type Pushed,
  type PushedMessage,
  pushedConversation,
  pushedFragment,
  pushedTitle,
  titleWithCount,
} from "../model/pushed";
import { afterOthers } from "../store/one-tab";
import type { Tab, WorkerScope } from "./scope";

/**
 * Shows or removes pushed notifications one after the other, because each push depends on the
 * notifications that are shown.
 */
export const takePush = (scope: WorkerScope, pushed: Pushed): Promise<void> =>
  afterOthers("pushes", () => takeInTurn(scope, pushed));

async function takeInTurn(scope: WorkerScope, pushed: Pushed): Promise<void> {
  const { registration } = scope;
  if (pushed.type === "remove") return withdraw(registration, pushed.message_ids, pushed.user_id);
  if (pushed.type === "message") return showMessage(scope, pushed);
  await registration.showNotification(pushed.realm_name, { tag: "chatd test" });
}

/**
 * Shows a message, unless a tab is visible, because its page notifies of messages by the person's
 * settings.
 */
async function showMessage(scope: WorkerScope, message: PushedMessage): Promise<void> {
  const tabs = await tabsOf(scope);
  if (tabs.some(({ visibilityState }) => visibilityState === "visible")) return;
  const tag = notificationTag(message.user_id, pushedConversation(message));
  const [before] = await scope.registration.getNotifications({ tag });
  const ids = factsOfNotification(before?.data)?.messageIds ?? [];
  // The page has shown it already.
  if (ids.includes(message.message_id)) return;
  const title = pushedTitle(message);
  const messageIds = withMessageId(ids, message.message_id);
  const facts: NotificationFacts = {
    userId: message.user_id,
    fragment: pushedFragment(message),
    title,
    messageIds,
  };
  const options: ScreenOptions = {
    tag,
    renotify: true,
    body: message.content,
    data: facts,
    ...iconFrom(message.sender_avatar_url, scope),
  };
  await scope.registration.showNotification(titleWithCount(title, messageIds.length), options);
}

/** The sender's avatar, if it is on this server. */
const iconFrom = (address: string, { location }: WorkerScope): { icon?: string } =>
  URL.parse(address)?.origin === location.origin ? { icon: address } : {};

/**
 * Removes messages that were read elsewhere or deleted from notifications, and removes
 * notifications without messages. The server names each message once.
 */
async function withdraw(
  registration: ServiceWorkerRegistration,
  gone: readonly number[],
  userId: number,
): Promise<void> {
  for (const notification of await registration.getNotifications()) {
    const facts = factsOfNotification(notification.data);
    if (facts?.userId !== userId) continue;
    const messageIds = facts.messageIds.filter((id) => !gone.includes(id));
    if (messageIds.length === 0) notification.close();
    else if (messageIds.length < facts.messageIds.length)
      await showRest(registration, notification, { ...facts, messageIds });
  }
}

/** Shows a notification with its remaining messages, without alerting the person again. */
async function showRest(
  registration: ServiceWorkerRegistration,
  { tag, title, body, icon }: Notification,
  facts: NotificationFacts,
): Promise<void> {
  const count = facts.messageIds.length;
  await registration.showNotification(
    facts.title === undefined ? title : titleWithCount(facts.title, count),
    { tag, body, silent: true, data: facts, ...(icon ? { icon } : {}) },
  );
}

/** Opens the message of a notification, in the tab that was used last, or in a new one. */
export async function goTo(scope: WorkerScope, { data }: Notification): Promise<void> {
  const fragment = factsOfNotification(data)?.fragment ?? "#";
  const tabs = await tabsOf(scope);
  const tab = tabs.find(({ visibilityState }) => visibilityState === "visible") ?? tabs[0];
  if (!tab) {
    await scope.clients.openWindow(`/${fragment}`);
    return;
  }
  tab.postMessage({ kind: "go", fragment } satisfies GoWord);
  // A system may refuse to bring the window to the front.
  await tab.focus().catch(() => undefined);
}

/** The tabs of the client. Other pages of the site, such as `/account`, notify nobody. */
async function tabsOf({ clients }: WorkerScope): Promise<readonly Tab[]> {
  const all = await clients.matchAll({ type: "window", includeUncontrolled: true });
  return all.filter(({ url }) => URL.parse(url)?.pathname === "/");
}
