import { computed, signal } from "@preact/signals";
import { peopleBeside } from "./choices";
import { isSideASheet } from "./place";

/** Whether the sheet of people is open, where there is no place beside the messages. */
const isSheetOpen = signal(false);

/** Whether people are shown. */
export const arePeopleShown = computed(() =>
  isSideASheet.value ? isSheetOpen.value : peopleBeside.value === "shown",
);

/** Shows people, or hides them. */
export function togglePeople(): void {
  if (isSideASheet.value) isSheetOpen.value = !isSheetOpen.value;
  else peopleBeside.value = arePeopleShown.value ? "hidden" : "shown";
}

export function closePeople(): void {
  if (arePeopleShown.value) togglePeople();
}

/** Closes the sheet, which lies over the messages; answers whether it was open. */
export function closeSheet(): boolean {
  const wasOpen = isSideASheet.value && isSheetOpen.value;
  isSheetOpen.value = false;
  return wasOpen;
}
