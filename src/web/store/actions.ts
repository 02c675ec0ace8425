import type { Event } from "../model/wire";
import { applyToCollapsing, renewCollapsing } from "./collapsing";
import { applyToEditing, renewEditing } from "./editing";
import { applyToReactions, renewReactions } from "./reactions";
import { applyToReading, renewReading } from "./reading";
import { applyToStars, renewStars } from "./stars";

/** Applies events that show what the person has done with messages, or is about to do. */
export function applyToActions(events: readonly Event[]): void {
  applyToReactions(events);
  applyToStars(events);
  applyToCollapsing(events);
  applyToReading(events);
  applyToEditing(events);
}

/** Applies a new state of the organization, after events were missed. */
export function renewActions(): void {
  renewReactions();
  renewStars();
  renewCollapsing();
  renewReading();
  void renewEditing();
}
