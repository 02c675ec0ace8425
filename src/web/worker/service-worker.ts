import { isKeepWord, type KeepWord } from "../model/kept";
import { isPushed } from "../model/pushed";
import { forgetAll } from "../offline/kept-store";
import { goTo, takePush } from "./pushes";
import type { FetchEvent, WorkerScope } from "./scope";
import { endOthers, keepFiles, openFile, openPage } from "./shell";

/*
 * The service worker: shows what the server pushes while no page is open, and opens the page where
 * the server is not reached. It is a file of its own, because browsers load it apart from the page.
 */

declare const self: WorkerScope;

self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));

self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

async function takeOver(): Promise<void> {
  await endOthers().catch(() => undefined);
  await self.clients.claim();
}

self.addEventListener("message", (event) => {
  const { data, ports } = event;
  if (isKeepWord(data)) event.waitUntil(answerKeepWord(data, ports));
});

/** Tells the page whether its files are stored, so that it asks again if not. */
async function answerKeepWord(word: KeepWord, ports: readonly MessagePort[]): Promise<void> {
  const areKept = await keepFiles(word.build).then(
    () => true,
    () => false,
  );
  for (const port of ports) port.postMessage(areKept);
}

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (origin !== self.location.origin) return;
  if (event.request.mode === "navigate") takeNavigation(event, pathname);
  else if (pathname.startsWith("/static/web/")) event.respondWith(openFile(event.request));
});

function takeNavigation(event: FetchEvent, pathname: string): void {
  const { method } = event.request;
  if (method === "GET" && pathname === "/") event.respondWith(openPage(event.request));
  // When somebody signs out, the data for reading offline is removed.
  if (method === "POST" && pathname.startsWith("/logout")) event.waitUntil(forgetAll());
}

self.addEventListener("push", (event) => {
  const pushed = event.data?.json();
  if (isPushed(pushed)) event.waitUntil(takePush(self, pushed));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(goTo(self, event.notification));
});
