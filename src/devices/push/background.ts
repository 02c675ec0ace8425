import { type AnyJob, defineJob } from "../../jobs/define";
import { ConsiderPush, DeliverPush, deliveryJobs } from "./jobs";

/**
 * With the pauses between them that is an hour and a half: nobody wants to be told of older things.
 */
const attemptsMax = 8;

const deliveryJob = (name: string) =>
  defineJob(
    name,
    DeliverPush,
    async (ctx, payload, signal) => {
      const { deliver } = await import("./deliver");
      return deliver(ctx, payload, signal);
    },
    // A person who was not reached in all that time is told of later messages.
    { isLeased: true, isOutside: true, attemptsMax, instead: async () => undefined },
  );

/** The background work of notifications; what carries it out is loaded with the first. */
export const pushJobs: readonly AnyJob[] = [
  defineJob("consider_push", ConsiderPush, async (ctx, payload) => {
    const { considerMessage } = await import("./consider");
    return considerMessage(ctx, payload);
  }),
  deliveryJob(deliveryJobs.device),
  deliveryJob(deliveryJobs.subscription),
];
