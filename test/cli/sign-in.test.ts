import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { chatd, freshFolder, mustChatd, places, serve, sqlite } from "./chatd";

const fetchKey = (site: string, password: string) =>
  fetch(`${site}/api/v1/fetch_api_key`, {
    method: "POST",
    headers: { host: "localhost" },
    body: new URLSearchParams({ username: "alice@example.com", password }),
  });

describe.each(places)("signing in, beside a running server on $engine", ({ provisioned }) => {
  test("a login link from the command line opens in a browser, once", async () => {
    const { place } = await provisioned();
    const server = await serve(place);
    const link = (
      await mustChatd(["admin", "user", "login-link", "alice@example.com", "--json", ...place])
    ).json();
    expect(Object.keys(link)).toEqual(["result", "user_id", "email", "url", "expires_at"]);
    const { port } = new URL(server.site);
    const [, atPort, token] = /^http:\/\/localhost:(\d+)\/login\/link\/(.*)$/.exec(link.url) ?? [];
    expect([atPort, token]).toEqual([port, expect.stringMatching(/^[A-Za-z0-9]{32}$/)]);
    const hour = 3_600;
    const inSeconds = link.expires_at - Date.now() / 1_000;
    expect([inSeconds > hour - 60, inSeconds <= hour]).toEqual([true, true]);
    const at = new URL(link.url).pathname;
    const post = () =>
      fetch(`${server.site}${at}`, {
        method: "POST",
        headers: { host: "localhost" },
        redirect: "manual",
      });
    const used = await post();
    expect([used.status, used.headers.get("location")]).toEqual([303, "/"]);
    expect((await post()).status).toBe(404);
    const shown = await mustChatd([
      "admin",
      "user",
      "login-link",
      "alice@example.com",
      "--expires",
      "30m",
      "--url",
      "https://chat.example.com",
      ...place,
    ]);
    expect(shown.stdout).toMatch(/^https:\/\/chat\.example\.com\/login\/link\/[A-Za-z0-9]{32}\n$/);
    expect(shown.stderr).toMatch(/^It works once, until 2.*Z\.\n$/);
    await server.kill();
  });

  test("a first password that a file declares leaves the link that somebody was given before", async () => {
    const { place } = await provisioned();
    const server = await serve(place);
    const { url } = (
      await mustChatd(["admin", "user", "login-link", "bob@example.com", "--json", ...place])
    ).json();
    const declared = join(freshFolder(), "org.yaml");
    const user =
      "{email: bob@example.com, name: Bob, role: member, password: battery-staple-horse}";
    writeFileSync(declared, `realm: {name: Acme, host: localhost}\nusers:\n  - ${user}\n`);
    await mustChatd(["admin", "apply", declared, ...place]);
    const headers = { host: "localhost" };
    const { status } = await fetch(`${server.site}${new URL(url).pathname}`, {
      method: "POST",
      headers,
      redirect: "manual",
    });
    expect(status).toBe(303);
    await server.kill();
  });

  test("an account that failures have locked is unlocked from the command line", async () => {
    const { place } = await provisioned();
    const server = await serve(place);
    const command = [
      "admin",
      "user",
      "password",
      "alice@example.com",
      "--generate",
      "--json",
      ...place,
    ];
    const { password } = (await mustChatd(command)).json();
    for (let i = 0; i < 5; i++)
      expect((await fetchKey(server.site, "a-wrong-guess")).status).toBe(401);
    expect((await fetchKey(server.site, password)).status).toBe(401);
    const { stdout } = await mustChatd(["admin", "user", "unlock", "alice@example.com", ...place]);
    expect(stdout).toBe("alice@example.com can sign in again.\n");
    expect((await fetchKey(server.site, password)).status).toBe(200);
    await server.kill();
  });
});

test("a login link is refused to those whom it could not sign in, and for times that are none", async () => {
  const { place } = await sqlite.provisioned();
  const refused: [string[], number, string][] = [
    [["login-link", "robot-bot@example.com"], 1, "Bots sign in with their API key"],
    [["login-link", "nobody@example.com"], 1, "Nobody in Acme"],
    [["login-link", "alice@example.com", "--expires", "8d"], 1, "at most 7 days"],
    [["login-link", "alice@example.com", "--expires", "0m"], 1, "at most 7 days"],
    [["login-link", "alice@example.com", "--expires", "soon"], 2, "'soon' is not a time"],
    [["unlock", "nobody@example.com"], 1, "Nobody in Acme"],
  ];
  const outcomes = await Promise.all(
    refused.map(([args]) => chatd(["admin", "user", ...args, ...place])),
  );
  expect(outcomes.map(({ code, stdout }) => [code, stdout])).toEqual(
    refused.map(([, code]) => [code, ""]),
  );
  for (const [index, [, , why]] of refused.entries())
    expect(outcomes[index]?.stderr).toContain(why);
});
