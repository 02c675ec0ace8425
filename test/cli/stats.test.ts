import { describe, expect, test } from "bun:test";
import { chatd, clientOf, mustChatd, places, serve } from "./chatd";

describe.each(places)("chatd admin stats on $engine", ({ provisioned }) => {
  test("shows on one screen, beside a running server, how much there is of everything", async () => {
    const { place, credentials } = await provisioned();
    const server = await serve(place);
    const alice = clientOf(server.site, credentials, "alice");
    for (const topic of ["lunch", "Lunch", "plans"])
      await alice.post("/messages", { type: "channel", to: "general", topic, content: "hello" });
    await alice.register();
    await alice.post("/users/me/presence", { status: "active", new_user_input: true });
    const more = ["--name", "Other", "--host", "other.example.com"];
    await mustChatd(["admin", "realm", "create", ...more, ...place]);
    const stats = async (...args: string[]) =>
      (await mustChatd(["admin", "stats", "--json", ...args, ...place])).json();
    const ours = await stats("--realm", "localhost");
    expect(ours).toMatchObject({
      organizations: ["localhost"],
      active_people: { day: 1, week: 1, month: 1 },
      bots: 1,
      active_bots: { day: 0, week: 0, month: 0 },
      files: 0,
      file_bytes: 0,
      queues: 1,
      jobs_failed: 0,
    });
    expect(ours.topics).toBeGreaterThanOrEqual(2);
    expect(ours.messages).toBeGreaterThanOrEqual(3);
    expect(ours.database_bytes).toBeGreaterThan(100_000);
    expect(await stats("--realm", "other.example.com")).toMatchObject({ people: 0, messages: 0 });
    expect(await stats()).toMatchObject({
      organizations: ["localhost", "other.example.com"],
      people: ours.people,
      messages: ours.messages,
    });
    const { stdout } = await mustChatd(["admin", "stats", ...place]);
    expect(stdout).toMatch(/^organizations +2$/m);
    expect(stdout).toMatch(/^people +\d+ +active in the last day 1, 7 days 1, 30 days 1$/m);
    expect(stdout).toMatch(/^database +[\d.]+ [KM]iB/m);
    expect(stdout.split("\n").length).toBeLessThan(20);
    expect((await chatd(["admin", "stats", "--realm", "nowhere", ...place])).code).toBe(1);
    await server.kill();
  });
});
