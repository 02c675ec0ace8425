import { computed, signal } from "@preact/signals";
import { peopleBeside } from "./choices";
import { isSideASheet } from "./place";

/** Whether people are shown above the messages, where there is no room beside them. */
const isSheetOpen = signal(false);

/** Whether people are shown. */
export const arePeopleShown = computed(() =>
  isSideASheet.value ? isSheetOpen.value : peopleBeside.value === "shown",
);

/** Shows or hides people. */
export function togglePeople(): void {
  if (isSideASheet.value) isSheetOpen.value = !isSheetOpen.value;
  else peopleBeside.value = arePeopleShown.value ? "hidden" : "shown";
}

export function closePeople(): void {
  if (arePeopleShown.value) togglePeople();
}

/** Closes the people above the messages; returns whether they were open. */
export function closeSheet(): boolean {
  const wasOpen = isSideASheet.value && isSheetOpen.value;
  isSheetOpen.value = false;
  return wasOpen;
}
