const address = "/service-worker.js";

/**
 * Only policies can make script addresses from texts. This one only allows the address of the
 * worker.
 */
const policy = globalThis.trustedTypes?.createPolicy("chatd-worker", {
  createScriptURL: () => address,
});

let started: Promise<void> | undefined;

/** Starts the service worker, or a newer one. */
export function startWorker(): Promise<void> {
  started ??= start();
  return started;
}

async function start(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  const trusted = policy ? policy.createScriptURL("") : address;
  try {
    await Reflect.apply(serviceWorker.register, serviceWorker, [trusted, { scope: "/" }]);
  } catch {
    // Browsers refuse it if nothing may be stored, as in private windows. Everything else works
    // without it.
  }
}

/** The registration of the worker when it runs; undefined if there is none. */
export async function workerRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  if (!("serviceWorker" in navigator)) return undefined;
  const { serviceWorker } = navigator;
  await started;
  return (await serviceWorker.getRegistration("/")) && serviceWorker.ready;
}
