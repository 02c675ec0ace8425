import { describe, expect, test } from "bun:test";
import { chatd, mustChatd, places, serve, sqlite } from "./chatd";

const password = "correct-horse-battery";

describe.each(places)(
  "inviting people from the command line, beside a running server on $engine",
  ({ provisioned }) => {
    test("a link is printed once; who opens it joins; it is listed until then", async () => {
      const { place } = await provisioned();
      const server = await serve(place);
      const admin = (...words: string[]) => mustChatd(["admin", "invite", ...words, ...place]);
      const join = (url: string, form: Record<string, string>) =>
        fetch(`${server.site}${new URL(url).pathname}`, {
          method: "POST",
          headers: { host: "localhost" },
          body: new URLSearchParams({ password, ...form }),
        });
      const created = (
        await admin("create", "nina@example.com", "noel@example.com", "--role", "guest", "--json")
      ).json();
      expect(created.invitations.map(({ email }: { email: string }) => email)).toEqual([
        "nina@example.com",
        "noel@example.com",
      ]);
      const [nina, noel] = created.invitations;
      expect(nina.url).toStartWith(`http://localhost:${new URL(server.site).port}/join/`);
      expect(nina.url).toMatch(/\/[A-Za-z0-9]{32}$/);
      expect((await join(nina.url, { full_name: "Nina" })).status).toBe(200);
      const listed = await admin("list");
      expect(listed.stdout).toContain("noel@example.com");
      expect([
        listed.stdout.includes("nina@example.com"),
        listed.stdout.includes("/join/"),
      ]).toEqual([false, false]);
      const renewed = await admin("renew", String(noel.id), "--url", "https://chat.example.com");
      expect(renewed.stdout).toMatch(/^https:\/\/chat\.example\.com\/join\/[A-Za-z0-9]{32}\n$/);
      expect(renewed.stderr).toMatch(/^It works once, until 2.*Z\.\n$/);
      expect((await join(noel.url, { full_name: "Noel" })).status).toBe(404);
      const reusable = (await admin("create", "--reusable", "--expires", "never")).stdout.trim();
      const { invitations } = (await admin("list", "--json")).json();
      expect(invitations).toMatchObject([
        { email: "noel@example.com" },
        { email: null, role: "member", expires_at: null },
      ]);
      const revoked = await admin("revoke", String(invitations[1].id));
      expect(revoked.stdout).toBe(`Revoked the invitation ${invitations[1].id}.\n`);
      expect((await join(reusable, { full_name: "Zed", email: "z@example.com" })).status).toBe(404);
      await server.kill();
    });
  },
);

test("people beside an address with an account are invited, and their links printed", async () => {
  const { place } = await sqlite.provisioned();
  const create = (...words: string[]) => chatd(["admin", "invite", "create", ...words, ...place]);
  const mixed = ["nina@example.com", "alice@example.com", "noel@example.com"];
  const { code, stdout, stderr } = await create(...mixed);
  expect([
    code,
    stdout.match(/ (?:nina|noel)@example\.com +http\S+\/join\/\w{32}$/gm)?.length,
  ]).toEqual([1, 2]);
  expect(stderr).toContain("Not invited: alice@example.com. Already has an account.");
  const asked = await create("nora@example.com", "alice@example.com", "--json");
  expect(asked.code).toBe(1);
  expect(asked.json()).toMatchObject({
    invitations: [{ email: "nora@example.com", url: expect.stringContaining("/join/") }],
    not_invited: [{ email: "alice@example.com", why: "Already has an account." }],
  });
});

test("what cannot be invited is refused, and says why", async () => {
  const { place } = await sqlite.provisioned();
  const refused: [string[], number, string][] = [
    [["create"], 2, "Name the e-mail addresses"],
    [["create", "a@example.com", "--reusable"], 2, "Name the e-mail addresses"],
    [["create", "alice@example.com"], 1, "have an account"],
    [["create", "bad"], 1, "not valid"],
    [["create", "a@example.com", "--expires", "soon"], 2, "'soon' is not a time"],
    [["create", "a@example.com", "--channel", "nowhere"], 1, "There is no channel 'nowhere'"],
    [["create", "a@example.com", "--role", "owner", "--from", "alice@example.com"], 1, "owner"],
    [["revoke", "999999"], 1, "No such invitation"],
    [["renew", "one"], 2, "'one' is no ID"],
  ];
  const outcomes = await Promise.all(
    refused.map(([args]) => chatd(["admin", "invite", ...args, ...place])),
  );
  expect(outcomes.map(({ code, stdout }) => [code, stdout])).toEqual(
    refused.map(([, code]) => [code, ""]),
  );
  for (const [index, [, , why]] of refused.entries())
    expect(outcomes[index]?.stderr).toContain(why);
});
