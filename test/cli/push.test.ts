import { expect, test } from "bun:test";
import { PushRelay } from "../support/servers/push-relay";
import { chatd, mustChatd, places } from "./chatd";

test.each(places)(
  "chatd admin push register tells what it shares, registers, and renews the key on $engine",
  async ({ provisioned }) => {
    const relay = new PushRelay();
    const env = { CHATD_PUSH_RELAY_URL: relay.flags["push_relay_url"] ?? "" };
    const { place } = await provisioned();
    const command = ["admin", "push", "register", "--contact", "ops@example.com", ...place];
    const asked = await chatd(command, { env });
    expect([asked.code, asked.stderr, relay.requests]).toEqual([
      2,
      expect.stringMatching(/sign-in methods.*add --agree-to-terms/),
      0,
    ]);
    const check = () => chatd(["admin", "config", "check", ...place], { env });
    expect((await check()).stderr).toStartWith("chatd: The push relay does not know");
    // An id that the relay has refused makes nobody known.
    relay.servers.set("other", { key: "", hostname: "chat.example.net", contact: "" });
    const named = ["--name", "chat.example.net"];
    const refused = await chatd([...command, "--agree-to-terms", ...named], { env });
    expect(refused.stderr).toContain("Another server is registered");
    expect((await check()).stderr).toStartWith("chatd: The push relay does not know");
    relay.servers.clear();
    const half = await chatd(["admin", "config", "check", ...place], {
      env: { ...env, CHATD_PUSH_RELAY_ID: "6f3c2d1e-0000-4000-8000-000000000001" },
    });
    expect(half.stderr).toContain("push_relay_id and push_relay_key belong together");
    const done = await mustChatd([...command, "--agree-to-terms"], { env });
    expect(done.stdout).toMatch(
      /^This server is registered at the push relay as \S+ \(ID [0-9a-f-]{36}\), with 1 organization\.\n$/,
    );
    const [id = ""] = relay.servers.keys();
    const key = relay.servers.get(id)?.key ?? "";
    expect(done.stdout).not.toContain(key);
    expect((await check()).stdout).toContain("The configuration is in order");
    const renewed = await mustChatd([...command, "--agree-to-terms", "--rotate-key", "--json"], {
      env,
    });
    expect(renewed.json()).toMatchObject({ id, isNew: false, organizations: 1 });
    expect(relay.servers.get(id)?.key).not.toBe(key);
    await relay.stop();
  },
);
