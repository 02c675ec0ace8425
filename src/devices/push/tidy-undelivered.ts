import type { App } from "../../core/context";
import { removeOverdue } from "../../jobs/tidy";
import { deliveryJobs } from "./jobs";
import { canAskRelay } from "./relay";

/** About as long as a delivery is tried: older notifications are of no use. */
const waitingSecondsMax = 5_400;

/**
 * Removes notifications for mobile devices that no node has taken, where this one cannot deliver
 * them: because no relay is configured any more, nobody may ever do so.
 */
export async function tidyUndelivered(app: App): Promise<void> {
  if (canAskRelay(app)) return;
  let count = 0;
  await removeOverdue(app, [deliveryJobs.device], waitingSecondsMax, () => {
    count += 1;
  });
  if (count > 0)
    app.log.warn("pushes_dropped", {
      count,
      why: "no push relay, or no ID and key for it, is configured",
    });
}
