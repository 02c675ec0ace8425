import { describe, expect, test } from "bun:test";
import { Client } from "../support/client";
import { freePort } from "../support/processes/free-port";
import { chatd, mustChatd, places, serve } from "./chatd";
import { linksIn } from "./printed-links";

describe.each(places)("the organization of a first start on $engine", ({ fresh }) => {
  /** Hosts of the organizations, and the address of a new bot, after a start with options. */
  async function started(options: string[], place: string[]) {
    const server = await serve([...place, ...options]);
    const realms = await mustChatd(["admin", "realm", "list", "--json", ...place]);
    const hosts = realms.json().realms.map(({ host }: { host: string }) => host);
    return { server, hosts };
  }

  test("has the host of the public address, so that its bots have real addresses", async () => {
    const place = await fresh();
    const port = String(freePort());
    const options = ["--url", "https://chat.example.com", "--port", port];
    const { server, hosts } = await started(options, place);
    expect(hosts).toEqual(["chat.example.com"]);
    const [link] = linksIn(server.stdout());
    expect(link?.url).toStartWith("https://chat.example.com/login/link/");
    const add = ["admin", "bot", "add", "robot", "--name", "Robot", "--owner", "owner@example.com"];
    const added = await mustChatd([...add, "--json", ...place]);
    expect(added.json()).toMatchObject({ bot: { email: "robot-bot@chat.example.com" } });
    const at = async (host: string) =>
      (await new Client(`http://127.0.0.1:${port}`, host).get("/server_settings")).body;
    // A server with one organization answers at every host.
    expect(await at("localhost")).toMatchObject({ realm_name: "chatd" });
    const create = ["admin", "realm", "create", "--name", "Other", "--host", "other.example.com"];
    await mustChatd([...create, ...place]);
    expect(await at("chat.example.com")).toMatchObject({ realm_name: "chatd" });
    expect(await at("other.example.com")).toMatchObject({
      realm_name: "Other",
      realm_url: "https://other.example.com",
    });
    expect(await server.stop()).toBe(0);
  });

  test.each([
    ["without a public address", []],
    ["with the address of a machine instead of a name", ["--url", "http://192.0.2.7:8080"]],
    ["with an IPv6 address", ["--url", "http://[2001:db8::7]:8080"]],
  ])("has the host localhost %s", async (_, options) => {
    const { server, hosts } = await started(options, await fresh());
    expect(hosts).toEqual(["localhost"]);
    expect(await server.stop()).toBe(0);
  });

  test("is not there after a start that was refused because of its port for mail", async () => {
    const place = await fresh();
    const taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
    const options = ["--smtp-port", String(taken.port), "--channel-email-domain", "example.com"];
    const start = ["serve", "--host", "127.0.0.1", "--port", "0", ...options, ...place];
    const { code } = await chatd(start, { isAlone: true });
    taken.stop();
    expect(code).not.toBe(0);
    const realms = await mustChatd(["admin", "realm", "list", "--json", ...place]);
    expect(realms.json().realms).toEqual([]);
  });

  test.each(["localhost", "chat.example.com", "chta.example.com"])(
    "gets its owner at the next start, if the first one was cut off when it was just made at %s",
    async (host) => {
      const place = await fresh();
      await mustChatd(["admin", "realm", "create", "--name", "chatd", "--host", host, ...place]);
      const { server, hosts } = await started(["--url", "https://chat.example.com"], place);
      expect(hosts).toEqual([host]);
      expect(linksIn(server.stdout()).length).toBe(1);
      expect(await server.stop()).toBe(0);
    },
  );
});
