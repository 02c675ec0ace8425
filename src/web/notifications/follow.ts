import { followDesktopApp } from "./desktop-app";
import { followIcon } from "./icon";
import { followSight } from "./in-sight";
import { followPermission } from "./permission";
import { followPush } from "./push";
import { endRead } from "./tell";
import { startWorker } from "./worker";

/** Starts to notify the person outside of the page. */
export function followNotifications(): void {
  followIcon();
  followDesktopApp();
  followSight();
  void followPermission();
  void startWorker().then(followPush);
  endRead();
}
