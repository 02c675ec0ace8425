import { isGoWord } from "../model/notification";

const address = "/service-worker.js";

/** Scripts come from texts by policies alone; this one makes the address of the worker only. */
const policy = globalThis.trustedTypes?.createPolicy("chatd-worker", {
  createScriptURL: () => address,
});

let started: Promise<void> | undefined;

/** Starts the service worker, or a newer one, and goes where a click on a notification leads. */
export function startWorker(): Promise<void> {
  started ??= start();
  return started;
}

async function start(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (isGoWord(data)) location.hash = data.fragment;
  });
  const trusted = policy ? policy.createScriptURL("") : address;
  try {
    await Reflect.apply(serviceWorker.register, serviceWorker, [trusted, { scope: "/" }]);
  } catch {
    // Browsers refuse it where nothing may be kept, as in private windows: all else works without.
  }
}

/** The registration of the worker, when it runs; undefined where there is none. */
export async function workerRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  if (!("serviceWorker" in navigator)) return undefined;
  const { serviceWorker } = navigator;
  await started;
  return (await serviceWorker.getRegistration("/")) && serviceWorker.ready;
}
