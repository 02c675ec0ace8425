import type { Presenter } from "../../core/event-hub";

/**
 * Each client gets presence in the form that it said at register; the older one without the address
 * where it wants it slim.
 */
export const presencePresenter: Presenter = {
  shape({ presences, email, ...event }, { simplifiedPresenceEvents, slimPresence }) {
    if (simplifiedPresenceEvents)
      return { variant: "modern", event: { type: event.type, presences } };
    if (slimPresence) return { variant: "slim", event };
    return { variant: "", event: { ...event, email } };
  },
};
