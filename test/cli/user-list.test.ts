import { describe, expect, test } from "bun:test";
import { chatd, clientOf, mustChatd, places, serve } from "./chatd";

describe.each(places)("chatd admin user list on $engine", ({ provisioned }) => {
  test("tells who subscribes to a channel and who belongs to a group", async () => {
    const { place } = await provisioned();
    const admin = (...args: string[]) => mustChatd(["admin", ...args, ...place]);
    const listed = async (...args: string[]) =>
      (await admin("user", "list", ...args, "--json"))
        .json()
        .users.map(({ email }: { email: string }) => email);
    await admin("channel", "create", "Nights", "--subscriber", "bob@example.com");
    await admin("group", "create", "wakers", "--member", "alice@example.com");
    await admin("group", "create", "watch", "--member", "bob@example.com", "--subgroup", "wakers");
    const [alice, bob] = ["alice@example.com", "bob@example.com"];
    expect(await listed("--channel", "nights")).toEqual([bob]);
    expect(await listed("--group", "wakers")).toEqual([alice]);
    expect((await listed("--group", "watch")).sort()).toEqual([alice, bob]);
    expect(await listed("--channel", "nights", "--group", "wakers")).toEqual([]);
    expect(await chatd(["admin", "user", "list", "--channel", "none", ...place])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There is no channel 'none' in "),
    });
  });

  test("tells people who were deleted for good from deactivated ones", async () => {
    const { place, credentials } = await provisioned();
    const server = await serve(place);
    const olga = clientOf(server.site, credentials, "olga");
    const users = (await olga.get("/users")).body.members;
    const idOf = (email: string) =>
      users.find(({ email: of }: { email: string }) => of === email).user_id;
    await olga.delete(`/users/${idOf("alice@example.com")}`);
    const actions = JSON.stringify({ delete_profile: true });
    await olga.delete(`/users/${idOf("bob@example.com")}`, { actions });
    const { stdout } = await mustChatd(["admin", "user", "list", ...place]);
    expect(stdout).toMatch(/alice@example\.com .* deactivated$/m);
    expect(stdout).toMatch(/ deleted$/m);
    const { users: all } = (await mustChatd(["admin", "user", "list", "--json", ...place])).json();
    const states = all.map((one: Record<string, unknown>) => [one["is_active"], one["is_deleted"]]);
    expect(states).toContainEqual([false, true]);
    expect(states).toContainEqual([false, false]);
  });
});
