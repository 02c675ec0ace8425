import { describe, expect, test } from "bun:test";
import { Client } from "../support/client";
import { mustChatd, places, serve } from "./chatd";

const email = "alice@example.com";

describe.each(places)(
  "what somebody is notified on, beside a running server on $engine",
  ({ provisioned }) => {
    test("is listed and removed from the command line; the server knows of it at once", async () => {
      const { place } = await provisioned();
      const server = await serve(place);
      const user = (...args: string[]) => mustChatd(["admin", "user", ...args, ...place]);
      const issued = await mustChatd(["admin", "api-key", "issue", email, "--json", ...place]);
      const alice = new Client(server.site, "localhost", { email, apiKey: issued.json().api_key });
      await alice.post("/register_client_device");
      await alice.post("/push_subscriptions", {
        kind: "ntfy",
        endpoint: "https://ntfy.example.com/kitchen",
      });
      const { devices } = (await user("devices", email, "--json")).json();
      expect(devices).toEqual([
        {
          id: expect.any(Number),
          kind: "device",
          state: "not registered",
          created_at: expect.any(Number),
        },
        { id: expect.any(Number), kind: "ntfy", state: "active", created_at: expect.any(Number) },
      ]);
      expect((await user("devices", email)).stdout).toMatch(/^ID .*\n\d+ +device +not registered/);
      const queue = await alice.register({ event_types: ["device"] });
      expect((await user("devices", email, "--remove")).stdout).toBe(
        `${email} is notified on 2 devices less.\n`,
      );
      expect((await queue.next()).map(({ op }) => op)).toEqual(["remove"]);
      expect((await alice.get("/push_subscriptions")).body.push_subscriptions).toEqual([]);
      await server.kill();
    });
  },
);
