import { expect } from "bun:test";
import type { Server } from "../cli/chatd";

/* Lines of the log that a page shows, beside those of a server. */

/** Requests after which a server logs an event. */
const causes: Record<string, (site: string) => Promise<Response>> = {
  request: (site) => fetch(`${site}/api/v1/server_settings`),
  sign_in_failed: (site) =>
    fetch(`${site}/api/v1/fetch_api_key`, {
      method: "POST",
      body: new URLSearchParams({ username: "you@example.com", password: "a-wrong-guess" }),
    }),
};

/**
 * Makes the server log an event like the one of the page, and compares the names of its fields and
 * their order, because fail2ban reads them in this order.
 */
export async function expectLogged(shown: string, server: Server): Promise<void> {
  const line = JSON.parse(shown);
  const cause = causes[line.event];
  if (cause === undefined) throw new Error(`no request is known that logs ${line.event}`);
  await (await cause(server.site)).body?.cancel();
  const logged = await server.logged(line.event);
  expect(Object.keys(logged)).toEqual(Object.keys(line));
}
