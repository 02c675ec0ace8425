import type { CDPSession } from "playwright-core";

/**
 * Holds the scripts that follow the first one back: they come when the messages are painted. The
 * browser must not have kept them from another visit, because it would not ask for them then.
 */
export async function holdLateParts(session: CDPSession) {
  const isAsked = Promise.withResolvers<void>();
  session.on("Fetch.requestPaused", () => isAsked.resolve());
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*/static/web/chunk-*" }] });
  return { isAsked: isAsked.promise, release: () => session.send("Fetch.disable") };
}
