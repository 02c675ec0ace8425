import type { Event } from "../model/wire";
import { applyToCollapsing, renewCollapsing } from "./collapsing";
import { applyToEditing, renewEditing } from "./editing";
import { applyToReactions, renewReactions } from "./reactions";
import { applyToReading, renewReading } from "./reading";
import { applyToStars, renewStars } from "./stars";

/** Takes note of events about what the person has done with messages, and is about to do. */
export function applyToActions(events: readonly Event[]): void {
  applyToReactions(events);
  applyToStars(events);
  applyToCollapsing(events);
  applyToReading(events);
  applyToEditing(events);
}

/** Takes note of another state of the organization, in place of events that have not come. */
export function renewActions(): void {
  renewReactions();
  renewStars();
  renewCollapsing();
  renewReading();
  void renewEditing();
}
