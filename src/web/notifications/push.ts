import { signal } from "@preact/signals";
import { post, read, remove } from "../net/api";
import { notify, reasonOf } from "../store/notices";
import { me } from "../store/state";
import { notificationWords as words } from "../words/notifications";
import { isInDesktopApp } from "./bridge";
import { workerRegistration } from "./worker";

/** Whether the server pushes to this browser while no page is open. */
export const isPushOn = signal(false);

/** Whether the browser supports push. */
export const hasPush =
  !isInDesktopApp && "PushManager" in globalThis && "serviceWorker" in navigator;

/** The name of the stored note about the subscription: its person, and its id on the server. */
const noteName = "chatd push";

interface Note {
  readonly userId: number;
  readonly id: number;
}

/**
 * Reads the subscription that the browser has. It is ended if it belongs to another person, because
 * nothing of theirs may be shown here, and if it was ended elsewhere or with its session. If the
 * server has it, it is registered again, so that it lasts as long as the session of this page.
 */
export async function followPush(): Promise<void> {
  const subscription = hasPush ? await ownSubscription() : undefined;
  if (!subscription) return;
  try {
    if (ownPushId() === undefined) await forgetSubscription();
    else await readReceivers();
    if (ownPushId() !== undefined) await register(subscription);
  } catch (error) {
    // The next page registers it.
    reasonOf(error);
  }
}

/**
 * The person's browsers and other receivers of pushes on the server. If this browser is no longer
 * among them, its own subscription is ended. Throws a `Refusal`.
 */
export async function readReceivers() {
  const before = ownPushId();
  const { push_subscriptions: receivers } = await read("/push_subscriptions");
  const isEnded = before !== undefined && !receivers.some(({ id }) => id === before);
  // A subscription that has begun meanwhile is not in this answer.
  if (isEnded && ownPushId() === before) await forgetSubscription();
  return receivers;
}

async function ownSubscription(): Promise<PushSubscription | undefined> {
  const registration = await workerRegistration();
  return (await registration?.pushManager.getSubscription()) ?? undefined;
}

async function register(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const { id } = await post("/push_subscriptions", {
    kind: "web_push",
    endpoint: endpoint ?? "",
    p256dh: keys?.["p256dh"] ?? "",
    auth: keys?.["auth"] ?? "",
  });
  localStorage.setItem(noteName, JSON.stringify({ userId: me.peek(), id } satisfies Note));
  isPushOn.value = true;
}

function noted(): Note | undefined {
  const note: unknown = JSON.parse(localStorage.getItem(noteName) ?? "null");
  return isNote(note) ? note : undefined;
}

const isNote = (note: unknown): note is Note =>
  typeof note === "object" &&
  note !== null &&
  "userId" in note &&
  typeof note.userId === "number" &&
  "id" in note &&
  typeof note.id === "number";

/** Subscribes this browser to pushes. If that is refused, the person is told. */
export async function turnPushOn(): Promise<void> {
  try {
    const registration = await workerRegistration();
    if (!registration) return notify(words.pushRefused);
    const { vapid_public_key: applicationServerKey } = await read("/push_subscriptions");
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    await register(
      await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }),
    );
  } catch (error) {
    notify(error instanceof DOMException ? words.pushRefused : reasonOf(error));
  }
}

/** The id of this browser's subscription on the server; undefined if it has none. */
export const ownPushId = (): number | undefined =>
  noted()?.userId === me.peek() ? noted()?.id : undefined;

/** Ends the subscription only in this browser. */
async function forgetSubscription(): Promise<void> {
  if (hasPush) await (await ownSubscription())?.unsubscribe();
  localStorage.removeItem(noteName);
  isPushOn.value = false;
}

/** Ends the subscription of this browser, here and on the server. */
export async function endPush(): Promise<void> {
  const id = noted()?.id;
  await forgetSubscription();
  if (id !== undefined)
    await remove("/push_subscriptions/{subscription_id}", { subscription_id: id });
}

/** Ends the subscription. If that is refused, the person is told. */
export async function turnPushOff(): Promise<void> {
  try {
    await endPush();
  } catch (error) {
    notify(reasonOf(error));
  }
}

/** Lets the server push a test to the person's browsers. */
export async function testPush(): Promise<void> {
  try {
    await post("/mobile_push/test_notification");
  } catch (error) {
    notify(reasonOf(error));
  }
}
