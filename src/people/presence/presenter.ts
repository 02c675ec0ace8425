import type { Presenter } from "../../core/event-hub";

/**
 * Each client gets presence in the form that it chose at register; the older form has no address
 * for clients that registered with `slim_presence`.
 */
export const presencePresenter: Presenter = {
  shape({ presences, email, ...event }, { simplifiedPresenceEvents, slimPresence }) {
    if (simplifiedPresenceEvents)
      return { variant: "modern", event: { type: event.type, presences } };
    if (slimPresence) return { variant: "slim", event };
    return { variant: "", event: { ...event, email } };
  },
};
