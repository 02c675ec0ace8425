import type { RunningApp } from "../../src/app";
import type { Answer, Queue } from "./client";

/** Lets the event loop turn until something is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error("It did not become so within ten seconds.");
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Whether a client waits on a queue. */
export const isHeld = (app: RunningApp, queueId: string, realmId: number) =>
  app.events.queuesIn(realmId).some(({ id, held }) => id === queueId && held !== undefined);

/** Starts a poll that waits; answers once the server holds it. */
export async function startPoll(
  { app, realm }: { app: RunningApp; realm: { id: number } },
  queue: Queue,
  init: RequestInit = {},
): Promise<{ answer: Promise<Answer> }> {
  const known = app.events.queuesIn(realm.id).find(({ id }) => id === queue.id)?.held;
  const answer = queue.poll({}, init);
  const isAnotherHeld = () => {
    const held = app.events.queuesIn(realm.id).find(({ id }) => id === queue.id)?.held;
    return held !== undefined && held !== known;
  };
  await until(isAnotherHeld);
  return { answer };
}
