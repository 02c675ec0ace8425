import type { App } from "../../core/context";
import { type AnyJob, defineJob } from "../../jobs/define";
import { ConsiderPush, DeliverPush, deliveryJobs } from "./jobs";
import { canAskRelay } from "./relay";

/** With the pauses between them, an hour and a half: older notifications are of no use. */
const attemptsMax = 8;

const deliveryJob = (name: string, canRun: (app: App) => boolean = () => true) =>
  defineJob(
    name,
    DeliverPush,
    async (ctx, payload, signal) => {
      const { deliver } = await import("./deliver");
      return deliver(ctx, payload, signal);
    },
    // Nothing is done then, because the person gets notifications of later messages.
    { isLeased: true, isOutside: true, attemptsMax, canRun, onFinalFailure: async () => undefined },
  );

/** The background work of notifications; its code is loaded with the first job. */
export const pushJobs: readonly AnyJob[] = [
  defineJob("consider_push", ConsiderPush, async (ctx, payload) => {
    const { considerMessage } = await import("./consider");
    return considerMessage(ctx, payload);
  }),
  deliveryJob(deliveryJobs.device, canAskRelay),
  deliveryJob(deliveryJobs.subscription),
];
