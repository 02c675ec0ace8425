import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { linesOfLinks } from "../../cli/one-time-links";
import { otherNamesOf } from "../../cli/run-server";
import { freshFolder, organizationFile, places, serve, serveOnTerminal } from "./chatd";
import { linksIn, openChat, pressed } from "./printed-links";

/** Text that a server on a terminal shows until it is ready. */
async function startOnTerminal(folder: string): Promise<string> {
  const server = await serveOnTerminal(["--data", folder]);
  expect(await server.stop()).toBe(0);
  return server.shown();
}

describe.each(places)("the address that the first start on $engine prints", ({ fresh }) => {
  test("leads the owner into the chat by one click, once", async () => {
    const place = await fresh();
    const server = await serve([...place, "--log-level", "debug"]);
    const [link, ...more] = linksIn(server.stdout());
    expect(more).toEqual([]);
    expect(link?.url.startsWith(server.site)).toBe(true);
    const browser = await pressed(link?.url ?? "");
    expect(await openChat(browser)).toEqual({ name: "Owner", channels: ["general"] });
    const path = new URL(link?.url ?? "").pathname;
    expect((await browser.open(path)).status).toBe(404);
    expect((await browser.submit(path)).status).toBe(404);
    await server.stop();
    expect(server.stderr()).toContain('"event":"stopping"');
    expect(server.stderr()).not.toContain(path.split("/").at(-1) ?? "");
  });
});

describe("printed addresses", () => {
  test("come again on a terminal until the owner has signed in, and stand in no service's journal", async () => {
    const folder = join(freshFolder(), "data");
    const first = linksIn(await startOnTerminal(folder));
    const again = linksIn(await startOnTerminal(folder));
    expect([first.length, again.length]).toEqual([1, 1]);
    expect(again[0]?.url).not.toBe(first[0]?.url);
    const server = await serve(["--data", folder]);
    expect(server.stdout()).toBe(`chatd is ready at ${server.site}\n`);
    // Each stays good for its hour.
    await pressed(`${server.site}${new URL(first[0]?.url ?? "").pathname}`);
    await server.stop();
    expect(linksIn(await startOnTerminal(folder))).toEqual([]);
  });

  test("say what other machines open, where the server listens for them and has no address", () => {
    const interfaces = () =>
      ({
        lo: [{ address: "127.0.0.1", family: "IPv4", internal: true }],
        eth0: [
          { address: "192.0.2.5", family: "IPv4", internal: false },
          { address: "fe80::5", family: "IPv6", internal: false },
        ],
        wlan0: [{ address: "198.51.100.7", family: "IPv4", internal: false }],
      }) as unknown as ReturnType<Parameters<typeof otherNamesOf>[1]>;
    const names = otherNamesOf({ url: undefined, host: "0.0.0.0" }, interfaces);
    expect(names).toEqual(["192.0.2.5", "198.51.100.7"]);
    expect(otherNamesOf({ url: "https://chat.example.com", host: "0.0.0.0" }, interfaces)).toEqual(
      [],
    );
    expect(otherNamesOf({ url: undefined, host: "127.0.0.1" }, interfaces)).toEqual([]);
    const link = {
      email: "o@example.com",
      name: "Owner",
      url: "http://localhost:8080/login/link/x",
    };
    expect(linesOfLinks([link], names).at(-1)).toBe(
      "On another machine, use 192.0.2.5 or 198.51.100.7 instead of localhost.",
    );
    expect(linesOfLinks([link], []).at(-1)).toBe(`  ${link.url}`);
  });

  test("are of each person that a throwaway server's file declares, and of no bot", async () => {
    const server = await serve(["--ephemeral", "--apply", organizationFile]);
    const links = linksIn(server.stdout());
    const names = links.map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(["Olga Owner", "Adam Administrator"]);
    expect(names).not.toContain("Robot");
    const chats = await Promise.all(
      links.slice(1, 3).map(async ({ url }) => openChat(await pressed(url))),
    );
    expect(chats.map(({ name }) => name)).toEqual(names.slice(1, 3));
    await server.stop();
  });
});
