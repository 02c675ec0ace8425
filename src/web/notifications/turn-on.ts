import { notify } from "../store/notices";
import { organization } from "../store/state";
import { notificationWords as words } from "../words/notifications";
import { askPermission, permission } from "./permission";
import { showTest } from "./screen";

/**
 * Asks for the permission to show notifications, and shows a first one. If the browser refuses, the
 * person is told what to do.
 */
export async function turnOn(): Promise<void> {
  await askPermission();
  switch (permission.peek()) {
    case "granted":
      notify(words.on);
      await showTest(organization.peek().name);
      return;
    case "denied":
      notify(`${words.refused} ${words.refusedHelp}`);
      return;
    case "default":
      notify(words.off);
      return;
    case "unsupported":
      notify(words.unsupported);
  }
}
