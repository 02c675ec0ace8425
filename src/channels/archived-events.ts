import type { LoggedEvent } from "../core/context";
import type { QueueOptions } from "../core/event-hub";

/**
 * An archived channel changes for clients that show archived channels, and disappears for all
 * others. So some events have two forms, and each client gets one: `shows_archived` says which
 * clients a form is for. Clients do not get that field.
 */
interface ForArchived {
  shows_archived?: boolean;
}

/**
 * The form of an event about one channel, where it has only one form: events of an archived channel
 * are only for some clients.
 */
export const formOf = ({ isArchived }: { isArchived: boolean }): ForArchived =>
  isArchived ? { shows_archived: true } : {};

/** Whether a client gets this form of an event. */
export const isFormFor = (event: LoggedEvent, { archivedChannels }: QueueOptions): boolean =>
  !("shows_archived" in event) || event["shows_archived"] === (archivedChannels ?? false);

/** The event for a client. */
export function withoutForm(event: LoggedEvent): LoggedEvent {
  if (!("shows_archived" in event)) return event;
  const { shows_archived: _, ...shown } = event;
  return shown;
}
