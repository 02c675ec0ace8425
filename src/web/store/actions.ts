import type { Event } from "../model/wire";
import { applyToEditing } from "./editing";
import { applyToPlace } from "./moved-place";
import { applyToReactions } from "./reactions";
import { applyToReading } from "./reading";
import { applyToStars } from "./stars";

/** Takes note of events about what the person has done with messages, and is about to do. */
export function applyToActions(events: readonly Event[]): void {
  applyToReactions(events);
  applyToStars(events);
  applyToReading(events);
  applyToEditing(events);
  applyToPlace(events);
}
