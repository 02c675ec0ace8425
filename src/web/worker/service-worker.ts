import { isPushed } from "../model/pushed";
import { goTo, takePush } from "./pushes";
import type { WorkerScope } from "./scope";

/*
 * The service worker: shows what the server pushes while no page is open. It is a file of its own,
 * because browsers load it apart from the page.
 */

declare const self: WorkerScope;

self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  const pushed = event.data?.json();
  if (isPushed(pushed)) event.waitUntil(takePush(self, pushed));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(goTo(self, event.notification));
});
