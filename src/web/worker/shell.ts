import { now } from "../clock";
import { type ClientBuild, keptQueueId, type LaterState } from "../model/kept";
import { firstFile, jsonForScript, pagePolicy, wholePage } from "../model/whole-page";
import type { Event } from "../model/wire";
import { cachePrefix, forgetAll, readState } from "../offline/kept-store";

/*
 * The page and its files where the server is not reached: of the build that this worker belongs to.
 */

declare const chatdBuild: ClientBuild;

const cacheName = cachePrefix + chatdBuild.id;
const folder = "/static/web/";

/** Stores the files of a build, if it is the worker's, and removes those of other builds. */
export async function keepFiles(build: string): Promise<void> {
  if (build !== chatdBuild.id) return;
  await endOthers();
  const cache = await caches.open(cacheName);
  const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  // All files or none, because files of two builds do not fit together.
  await cache.addAll(chatdBuild.files.filter((file) => !kept.has(file)));
}

/** Removes the files of other builds. */
export async function endOthers(): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(cachePrefix) && name !== cacheName) await caches.delete(name);
}

/** A file of the client, from the cache or from the server. Its name changes with its content. */
export async function openFile(request: Request): Promise<Response> {
  const kept = await caches.match(request, { cacheName }).catch(() => undefined);
  return kept ?? fetch(request);
}

/** A server that has not answered after this time counts as unreachable. */
const patienceMilliseconds = 10_000;

/**
 * The page from the server; if the server is unreachable, the stored page. Without a session the
 * server redirects to the login page, and then everything stored is removed.
 */
export async function openPage(request: Request): Promise<Response> {
  const asked = fetch(request).catch(() => undefined);
  const answer = await Promise.race([asked, patience()]);
  if (answer?.type === "opaqueredirect") await forgetAll();
  if (answer && !isOfProxy(answer)) return answer;
  const kept = await keptPage().catch(() => undefined);
  return kept ?? (await asked) ?? Response.error();
}

const patience = (): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), patienceMilliseconds));

/**
 * Whether a proxy has answered, because it could not reach the server. The server's own answers
 * name its build.
 */
const isOfProxy = ({ status, headers }: Response): boolean =>
  status >= 502 && !headers.has("x-chatd-build");

/** The page with the newest stored state; undefined if there is none of this build. */
async function keptPage(): Promise<Response | undefined> {
  const kept = await readState();
  if (kept?.state.build !== chatdBuild.id) return undefined;
  const { state, events } = kept;
  const names = chatdBuild.files.map((file) => file.slice(folder.length));
  const [script, style] = [firstFile(names, "js"), firstFile(names, "css")];
  if (script === undefined || style === undefined) return undefined;
  if (!(await caches.match(folder + script, { cacheName }))) return undefined;
  const later: LaterState<Event> = {
    changes: {
      queue_id: keptQueueId,
      last_event_id: -1,
      server_timestamp: state.serverTimestamp + (now() - state.keptAt) / 1_000,
    },
    events,
  };
  const pieces = wholePage({
    ...state,
    script: folder + script,
    style: folder + style,
    // The server tells the session's token when it is reached.
    csrfToken: "",
    snapshot: [jsonForScript(state.snapshot)],
    later: jsonForScript(JSON.stringify(later)),
  });
  return new Response(pieces.join(""), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": pagePolicy,
      "cache-control": "no-store",
    },
  });
}
