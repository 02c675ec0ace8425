/*
 * Two habits of Elysia that a server, which starts once, never notices, and a process with thousands of servers does: it
 * collects garbage whenever it composes an app, and keeps each app that has listened until the process ends.
 */

Bun.gc = () => 0;

/**
 * Starts a server. Answers it with a function that forgets the app, to be called when the server
 * has ended.
 */
export async function startForgettable<Server>(
  start: () => Promise<Server>,
): Promise<{ server: Server; forget(): void }> {
  const before = new Set(process.listeners("beforeExit"));
  const server = await start();
  const kept = process.listeners("beforeExit").filter((listener) => !before.has(listener));
  return {
    server,
    forget() {
      for (const listener of kept) process.off("beforeExit", listener);
    },
  };
}
