import type { KeepWord } from "../model/kept";
import { pauseAfter } from "../net/backoff";
import { buildOfPage } from "../net/page-facts";
import { untilWorthTrying } from "../net/pause";

/**
 * If the worker takes longer to answer, that counts as a failure, because browsers end workers at
 * will.
 */
const answerMilliseconds = 60_000;
const failuresMax = 10;

/**
 * Lets the service worker store the files of this build. It tries again if a file cannot be loaded,
 * because a stored page cannot be opened without its files.
 */
export async function keepFiles(): Promise<void> {
  for (let failures = 1; failures <= failuresMax; failures += 1) {
    if (await areKept()) return;
    await untilWorthTrying(pauseAfter(failures));
  }
}

/**
 * Whether the worker has all files of this build. It is also true if the worker belongs to another
 * build, which stores none.
 */
async function areKept(): Promise<boolean> {
  const { active } = await navigator.serviceWorker.ready;
  const { port1: own, port2: theirs } = new MessageChannel();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), answerMilliseconds);
  own.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data === true);
  const word: KeepWord = { kind: "keep", build: buildOfPage() };
  active?.postMessage(word, [theirs]);
  const isSo = await promise;
  clearTimeout(timer);
  own.close();
  return isSo;
}
