import type { LoggedEvent } from "../core/context";
import type { QueueOptions } from "../core/event-hub";

/**
 * A channel that is archived changes for clients that show archived channels, and goes away for all
 * others. So some events come in two forms, of which each client gets one: `shows_archived` says
 * for which of them an event is. It is not shown.
 */
interface ForArchived {
  shows_archived?: boolean;
}

/**
 * The form of an event that is about one channel, when it has but one: of an archived one only some
 * clients are told.
 */
export const formOf = ({ isArchived }: { isArchived: boolean }): ForArchived =>
  isArchived ? { shows_archived: true } : {};

/** Whether a client gets this form of an event. */
export const isFormFor = (event: LoggedEvent, { archivedChannels }: QueueOptions): boolean =>
  !("shows_archived" in event) || event["shows_archived"] === (archivedChannels ?? false);

/** The event as a client sees it. */
export function withoutForm(event: LoggedEvent): LoggedEvent {
  if (!("shows_archived" in event)) return event;
  const { shows_archived: _, ...shown } = event;
  return shown;
}
