import { describe, expect, test } from "bun:test";
import { chatd, mustChatd, places, sqlite } from "./chatd";

describe.each(places)("chatd admin bot on $engine", ({ provisioned }) => {
  async function provision() {
    const { place } = await provisioned();
    const bot = async (...args: string[]) =>
      (await mustChatd(["admin", "bot", ...args, "--json", ...place])).json();
    return { place, bot };
  }

  test("adds, changes, gives away, lists and ends bots, and prints their keys", async () => {
    const { place, bot } = await provision();
    const made = await bot(
      "add",
      "cook",
      "--name",
      "Cook",
      "--owner",
      "alice@example.com",
      "--kind",
      "outgoing-webhook",
      "--payload-url",
      "https://hooks.example.com/soup",
      "--interface",
      "slack",
    );
    const email = made.bot.email;
    expect(email).toMatch(/^cook-bot@/);
    expect(made.bot).toMatchObject({
      full_name: "Cook",
      kind: "outgoing-webhook",
      owner: "alice@example.com",
      is_active: true,
      payload_url: "https://hooks.example.com/soup",
    });
    expect((await bot("key", email)).api_key).toBe(made.api_key);
    const { api_key: renewed } = await bot("key", email, "--regenerate");
    expect(renewed).not.toBe(made.api_key);
    expect((await bot("set", email, "--name", "Chef", "--payload-url", "")).bot).toMatchObject({
      full_name: "Chef",
      payload_url: "",
    });
    expect((await bot("transfer", email, "bob@example.com")).bot.owner).toBe("bob@example.com");
    expect((await bot("deactivate", email, "--revoke-keys", "--yes")).bot.is_active).toBe(false);
    expect((await bot("list")).bots).toContainEqual(
      expect.objectContaining({ email, is_active: false }),
    );
    expect(
      (await mustChatd(["admin", "api-key", "list", email, "--json", ...place])).json().api_keys,
    ).toEqual([]);
    const { stdout } = await mustChatd(["admin", "bot", "list", ...place]);
    expect(stdout).toMatch(/ID +E-MAIL +NAME +KIND +OWNER +STATE +URL/);
    expect(stdout).toMatch(/Chef +outgoing-webhook +bob@example.com +deactivated/);
    expect(stdout).not.toContain(renewed);
  });
});

test("chatd admin bot refuses what the verbs refuse, and words that it does not know", async () => {
  const { place } = await sqlite.provisioned();
  const tell = async (...args: string[]) => {
    const { code, stderr } = await chatd(["admin", "bot", ...args, ...place]);
    return `${code} ${stderr}`;
  };
  const add = ["add", "cook", "--name", "Cook", "--owner"];
  expect(await tell(...add, "nobody@example.com")).toContain("1 ");
  expect(await tell(...add, "alice@example.com", "--kind", "cook")).toContain(
    "'cook' is invalid. Allowed choices are generic",
  );
  expect(await tell(...add, "alice@example.com", "--kind", "embedded")).toBe(
    "2 chatd: Choose its service with --service: faq, standup.\n",
  );
  expect(await tell(...add, "alice@example.com", "--kind", "outgoing-webhook")).toBe(
    "2 chatd: Give the URL to which its messages are posted with --payload-url.\n",
  );
  expect(await tell(...add, "alice@example.com", "--kind", "embedded", "--service", "x")).toContain(
    "no embedded bot",
  );
  expect(await tell("key", "alice@example.com")).toContain("is no bot");
});
