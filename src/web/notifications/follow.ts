import { followDesktopApp } from "./desktop-app";
import { followIcon } from "./icon";

/** Begins to tell the person outside of the page of what happens in it. */
export function followNotifications(): void {
  followIcon();
  followDesktopApp();
}
