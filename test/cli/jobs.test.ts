import { describe, expect, test } from "bun:test";
import { chatd, clientOf, mustChatd, places, serve, waitFor } from "./chatd";

describe.each(places)("chatd admin jobs on $engine", ({ provisioned }) => {
  async function provision() {
    const { place, credentials } = await provisioned();
    const server = await serve(place);
    const alice = clientOf(server.site, credentials, "alice");
    const { body: me } = await alice.get("/users/me");
    const schedule = async (content: string) => {
      const scheduled_delivery_timestamp = Math.floor(Date.now() / 1000) + 3600;
      const message = { type: "direct", to: [me.user_id], content, scheduled_delivery_timestamp };
      expect((await alice.post("/scheduled_messages", message)).status).toBe(200);
    };
    const jobs = async (...args: string[]) =>
      (await mustChatd(["admin", "jobs", ...args, "--json", ...place])).json();
    return { place, server, alice, schedule, jobs };
  }

  test("lists what is to be done; what is retried runs at once in the server beside, what is deleted never", async () => {
    const { place, server, alice, schedule, jobs } = await provision();
    await schedule("now, please");
    await schedule("never");
    // A new organization has a job of its own, which is done soon.
    const listed = await waitFor(async () => {
      const { jobs: all } = await jobs("list");
      return all.some(({ name }: { name: string }) => name === "shrink_html") ? undefined : all;
    }, 10_000);
    expect(listed).toMatchObject([
      {
        name: "deliver_scheduled_message",
        state: "waiting",
        attempts: 0,
        realm: "localhost",
        last_error: null,
      },
      { name: "deliver_scheduled_message", state: "waiting" },
    ]);
    const [first, second] = listed.map(({ id }: { id: number }) => String(id));
    const { stdout } = await mustChatd(["admin", "jobs", "list", ...place]);
    expect(stdout).toMatch(/ID +ORGANIZATION +JOB +KEY +STATE +ATTEMPTS +DUE +LAST ERROR/);
    expect(await chatd(["admin", "jobs", "delete", first, "999", "--yes", ...place])).toMatchObject(
      {
        code: 1,
      },
    );
    expect((await jobs("list")).jobs).toEqual(listed);
    expect((await jobs("delete", second, second, "--yes")).jobs).toMatchObject([
      { id: Number(second) },
    ]);
    expect((await mustChatd(["admin", "jobs", "retry", first, ...place])).stdout).toBe(
      `Will be tried again now: ${first} (deliver_scheduled_message).\n`,
    );
    const contents = async () => {
      const page = { anchor: "newest", num_before: 10, num_after: 0, apply_markdown: false };
      const { body } = await alice.get("/messages", page);
      return body.messages.map(({ content }: { content: string }) => content);
    };
    await waitFor(
      async () => ((await contents()).includes("now, please") ? true : undefined),
      10_000,
    );
    expect(await contents()).not.toContain("never");
    expect((await jobs("list")).jobs).toEqual([]);
    expect((await jobs("list", "--failed")).jobs).toEqual([]);
    await server.kill();
  });

  test("says which job there is not", async () => {
    const { place } = await provisioned();
    const missing = await chatd(["admin", "jobs", "retry", "999", ...place]);
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.stderr).toContain("There is no job 999");
    expect((await chatd(["admin", "jobs", "delete", "soup", "--yes", ...place])).code).toBe(2);
    expect((await chatd(["admin", "jobs", "retry", ...place])).code).toBe(2);
  });
});
