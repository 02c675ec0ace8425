import { describe, expect, test } from "bun:test";
import { Browser } from "../support/browser";
import { chatd, mustChatd, places, serve } from "./chatd";

const email = "alice@example.com";

describe.each(places)(
  "browsers that are signed in, beside a running server on $engine",
  ({ provisioned }) => {
    test("are listed and signed out from the command line, and by a new password, which says so", async () => {
      const { place } = await provisioned();
      const server = await serve(place);
      const user = (...args: string[]) => mustChatd(["admin", "user", ...args, ...place]);
      const set = await user("password", email, "--generate");
      expect(set.stderr).toContain(
        "sessions in browsers and login links have ended; their API keys have not",
      );
      const signedIn = async (password: string) => {
        const browser = new Browser(server.site, "localhost", false);
        expect((await browser.submit("/login", { email, password })).status).toBe(303);
        return browser;
      };
      const isIn = async (browser: Browser) => (await browser.open("/account")).status === 200;
      const browser = await signedIn(set.stdout.trim());
      const { sessions } = (await user("sessions", email, "--json")).json();
      expect(sessions).toEqual([
        {
          id: expect.any(Number),
          browser: "Firefox on Linux",
          created_at: expect.any(Number),
          last_seen_at: expect.any(Number),
          expires_at: sessions[0].created_at + 2_592_000,
        },
      ]);
      expect((await user("sessions", email)).stdout).toMatch(/^BROWSER .*\nFirefox on Linux +2/);
      expect((await user("sessions", email, "--end")).stdout).toBe(
        `Signed ${email} out of 1 browser.\n`,
      );
      expect(await isIn(browser)).toBe(false);
      const again = await signedIn(set.stdout.trim());
      for (const flag of ["--revoke-keys", "--end-keys"]) {
        const reset = await user("password", email, "--generate", flag);
        expect(reset.stderr).toContain("and their API keys.");
      }
      expect(await isIn(again)).toBe(false);
      await server.kill();
    });

    test("a person is deleted for good from the command line, if one is sure", async () => {
      const { place } = await provisioned();
      const unsure = await chatd(["admin", "user", "delete", email, ...place]);
      expect([unsure.code, unsure.stderr.includes("--yes")]).toEqual([2, true]);
      const { full_name, user_id } = (
        await mustChatd(["admin", "user", "delete", email, "--yes", "--json", ...place])
      ).json();
      expect(full_name).toBe(`Deleted user ${user_id}`);
      expect((await mustChatd(["admin", "user", "list", ...place])).stdout).not.toContain(email);
    });
  },
);
