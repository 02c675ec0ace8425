import type { Presenter } from "../../core/event-hub";

/**
 * Only clients that name the event type get it: the others use `device` events alone
 * (`docs/protocol/decisions.md` 2).
 */
export const pushDevicePresenter: Presenter = {
  accepts: (_event, { eventTypes }) => eventTypes?.includes("push_device") === true,
};
