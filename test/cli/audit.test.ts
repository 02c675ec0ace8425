import { describe, expect, test } from "bun:test";
import { chatd, mustChatd, places } from "./chatd";

describe.each(places)("chatd admin audit on $engine", ({ provisioned }) => {
  test("lists and exports what commands have done, by actor, target, action and time", async () => {
    const { place } = await provisioned();
    const role = ["admin", "user", "role", "alice@example.com", "moderator"];
    await mustChatd([...role, ...place], { env: { USER: "", LOGNAME: "" } });
    await mustChatd(["admin", "channel", "create", "crew", ...place]);
    const list = async (...words: string[]) =>
      (await mustChatd(["admin", "audit", "list", "--json", ...words, ...place])).json();
    const { audit_log: acts, found_oldest } = await list();
    expect(found_oldest).toBe(true);
    expect(acts.map(({ action }: { action: string }) => action)).toEqual([
      "channel.create",
      "user.update",
      "realm.apply",
      "realm.create",
    ]);
    expect(acts[1]).toMatchObject({
      actor: { kind: "operator" },
      client: "chatd-admin",
      before: { role: 400 },
      after: { role: 300 },
    });
    // The account by its name, as people write it, whatever the environment calls it.
    expect(acts[1].address).toMatch(/^(?!uid |unknown)[^@\s]+@\S+$/);
    const [id] = acts[1].target.ids;
    expect((await list("--target", `user:${id}`, "--actor", "operator")).audit_log).toEqual([
      acts[1],
    ]);
    expect((await list("--type", "user", "--since", "1h")).audit_log).toEqual([acts[1]]);
    expect((await list("--actor", "alice@example.com")).audit_log).toEqual([]);
    expect(await list("--limit", "1")).toMatchObject({ audit_log: [acts[0]], found_oldest: false });

    const exported = await mustChatd(["admin", "audit", "export", ...place]);
    expect(
      exported.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(acts);
    const table = await mustChatd(["admin", "audit", "list", "--type", "user.update", ...place]);
    expect(table.stdout).toMatch(/operator +user\.update +user \d+ .* role: 400 → 300/);

    const wrong = async (...words: string[]) =>
      await chatd(["admin", "audit", "list", ...words, ...place]);
    expect(await wrong("--target", "house:1")).toMatchObject({ code: 2 });
    expect(await wrong("--since", "soon")).toMatchObject({ code: 2 });
    expect(await wrong("--limit", "0")).toMatchObject({ code: 2 });
    expect((await wrong("--type", "user.%")).stderr).toContain("like user.deactivate");
  }, 60_000);
});
