import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { staticPng } from "../support/pictures";
import { chatd, clientOf, freshFolder, mustChatd, places, serve } from "./chatd";

describe.each(places)("commands about what an organization has on $engine", ({ provisioned }) => {
  async function provision() {
    const { place } = await provisioned();
    const admin = async (...args: string[]) =>
      (await mustChatd(["admin", ...args, "--json", ...place])).json();
    const lines = async (...args: string[]) =>
      (await mustChatd(["admin", ...args, ...place])).stdout;
    const refusal = async (...args: string[]) => {
      const { code, stderr } = await chatd(["admin", ...args, ...place]);
      return `${code} ${stderr}`;
    };
    return { place, admin, lines, refusal };
  }

  test("linkifiers are added, changed, ordered and removed", async () => {
    const { admin, lines, refusal } = await provision();
    const { linkifier: first } = await admin(
      "linkifier",
      "add",
      "#(?P<id>[0-9]+)",
      "https://tracker.example/{id}",
      "--example",
      "#12",
      "--reverse",
      "#{id}",
      "--alternative",
      "https://old.example/{id}",
    );
    expect(first).toMatchObject({ example_input: "#12", reverse_template: "#{id}" });
    const { linkifier: second } = await admin("linkifier", "add", "CVE", "https://cve.example/");
    const change = [
      "linkifier",
      "update",
      String(first.id),
      "#(?P<id>[0-9]+)",
      "https://new.example/{id}",
    ];
    expect((await admin(...change, "--reverse", "", "--example", "")).linkifier).toMatchObject({
      url_template: "https://new.example/{id}",
      example_input: null,
      reverse_template: null,
      alternative_url_templates: ["https://old.example/{id}"],
    });
    const { linkifiers } = await admin("linkifier", "reorder", String(second.id), String(first.id));
    expect(linkifiers.map(({ id }: { id: number }) => id)).toEqual([second.id, first.id]);
    expect(await lines("linkifier", "list")).toMatch(
      /ID +PATTERN +URL TEMPLATE +EXAMPLE\n\d+ +CVE +https:\/\/cve/,
    );
    expect(await lines("linkifier", "remove", String(second.id))).toBe(
      `Removed the linkifier ${second.id}.\n`,
    );
    expect((await admin("linkifier", "list")).linkifiers).toHaveLength(1);
    expect(await refusal("linkifier", "add", "bad(", "https://x.example/")).toStartWith(
      "1 chatd: ",
    );
    expect(await refusal("linkifier", "remove", "99999")).toStartWith(
      "1 chatd: Linkifier not found.",
    );
    expect(await refusal("linkifier", "remove", "first")).toStartWith("2 chatd: 'first' is no ID");
  });

  test("playgrounds and domains are added, changed and removed", async () => {
    const { admin, lines, refusal } = await provision();
    const { id } = await admin(
      "playground",
      "add",
      "Play",
      "Rust",
      "https://play.example/?code={code}",
    );
    expect((await admin("playground", "list")).playgrounds).toEqual([
      {
        id,
        name: "Play",
        pygments_language: "Rust",
        url_template: "https://play.example/?code={code}",
      },
    ]);
    expect(await refusal("playground", "add", "Other", "Rust", "https://play.example/")).toContain(
      'variable "code"',
    );
    expect(await lines("playground", "remove", String(id))).toBe(`Removed the playground ${id}.\n`);

    expect(await lines("domain", "add", "Example.com", "--subdomains")).toBe(
      "Added the domain example.com.\n",
    );
    expect((await admin("domain", "list")).domains).toEqual([
      { domain: "example.com", allow_subdomains: true },
    ]);
    expect(await lines("domain", "update", "example.com", "--no-subdomains")).toContain(
      "do not count",
    );
    expect(await lines("domain", "list")).toMatch(/DOMAIN +SUBDOMAINS\nexample.com +no\n/);
    expect(await refusal("domain", "add", "nowhere")).toStartWith(
      "1 chatd: 'nowhere' is no domain",
    );
    expect((await admin("domain", "remove", "EXAMPLE.com")).domain).toBe("example.com");
    expect(await refusal("domain", "remove", "example.com")).toStartWith(
      "1 chatd: There is no domain",
    );
  });

  test("profile fields are added, changed, ordered and removed", async () => {
    const { admin, lines, refusal } = await provision();
    const { field: phone } = await admin(
      "profile-field",
      "add",
      "short_text",
      "--name",
      "Phone",
      "--hint",
      "With area code",
      "--summary",
      "--required",
      "--matching",
      "--no-editable",
    );
    expect(phone).toMatchObject({
      name: "Phone",
      type: 1,
      hint: "With area code",
      required: true,
      editable_by_user: false,
      display_in_profile_summary: true,
      use_for_user_matching: true,
    });
    const data = '{"a": {"text": "Soup", "order": "1"}}';
    await admin("profile-field", "add", "dropdown", "--name", "Lunch", "--field-data", data);
    const { fields } = await admin("profile-field", "reorder", "Lunch");
    expect(fields.map(({ name }: { name: string }) => name)).toEqual(["Lunch", "Phone"]);
    const change = [
      "--name",
      "Telephone",
      "--no-summary",
      "--no-required",
      "--no-matching",
      "--editable",
    ];
    const { field } = await admin("profile-field", "update", "Phone", ...change);
    expect(field).toMatchObject({
      id: phone.id,
      name: "Telephone",
      required: false,
      editable_by_user: true,
    });
    expect(await lines("profile-field", "list")).toMatch(
      /Telephone +short_text +optional +everybody +With area code/,
    );
    expect(await lines("profile-field", "remove", "Lunch", "--yes")).toBe(
      "Removed the profile field Lunch.\n",
    );
    expect(await refusal("profile-field", "add", "telephone", "--name", "x")).toContain(
      "there is no type 'telephone'",
    );
    expect(await refusal("profile-field", "update", "Telephone")).toStartWith(
      "2 chatd: Nothing to change",
    );
    expect(
      await refusal("profile-field", "add", "dropdown", "--name", "x", "--field-data", "{"),
    ).toStartWith("2 chatd: ");
    expect(await refusal("profile-field", "remove", "Lunch", "--yes")).toStartWith(
      "1 chatd: There is no profile field 'Lunch'",
    );
  });

  test("default channel groups are made, changed, filled and removed", async () => {
    const { admin, lines, refusal } = await provision();
    const group = (...args: string[]) => admin("default-group", ...args);
    await admin("channel", "create", "lab");
    const { default_group: work } = await group(
      "create",
      "Work",
      "--description",
      "What we do",
      "--channel",
      "lab",
      "random",
    );
    expect(work).toMatchObject({
      name: "Work",
      description: "What we do",
      streams: { length: 2 },
    });
    expect(await refusal("default-group", "create", "work")).toStartWith(
      "1 chatd: There is a default channel group Work already",
    );
    expect((await group("create", "work", "--if-missing")).was_there).toBe(true);
    await group("update", "work", "--name", "Jobs");
    const fewer = await group("channels", "remove", "Jobs", "random");
    expect(fewer.default_group.streams).toHaveLength(1);
    expect(await lines("default-group", "list")).toMatch(/Jobs +lab +What we do/);
    const more = await group("channels", "add", "Jobs", "random");
    expect(more.default_group.streams).toHaveLength(2);
    expect(await refusal("default-group", "channels", "add", "Jobs", "lab")).toStartWith(
      "1 chatd: The channel 'lab' is already in the default channel group 'Jobs'",
    );
    await admin("channel", "create", "den");
    await group("channels", "add", "Jobs", "LAB", "den", "--if-missing");
    expect(await lines("default-group", "list")).toMatch(/Jobs +random, lab, den +What/);
    expect(await refusal("default-group", "channels", "add", "Jobs", "core")).toStartWith(
      "1 chatd: The channel 'core' is private",
    );
    expect(await refusal("default-group", "update", "Jobs")).toStartWith("2 chatd: Nothing to");
    expect(await refusal("default-group", "remove", "Attic")).toStartWith(
      "1 chatd: There is no default channel group 'Attic'",
    );
    expect(await lines("default-group", "remove", "jobs")).toBe(
      "Removed the default channel group Jobs; its channels stay.\n",
    );
    expect((await group("list")).default_groups).toEqual([]);
  });

  test("folders are made, changed, ordered and archived, and channels put into them", async () => {
    const { admin, lines, refusal } = await provision();
    const { folder: work } = await admin("folder", "create", "Work", "--description", "What we do");
    await admin("folder", "create", "Play");
    expect(
      (await admin("channel", "update", "general", "--folder", "work")).channel.folder_id,
    ).toBe(work.id);
    expect(
      (await admin("channel", "create", "games", "--folder", "Play")).channel.folder_id,
    ).not.toBeNull();
    expect((await admin("folder", "update", "work", "--name", "Office")).folder).toMatchObject({
      id: work.id,
      name: "Office",
      description: "What we do",
    });
    expect(await lines("folder", "reorder", "play")).toBe("Their order is now: Play, Office.\n");
    expect(await refusal("folder", "archive", "Office")).toStartWith(
      "1 chatd: Take all channels out of the folder",
    );
    await admin("channel", "update", "general", "--folder", "");
    expect((await admin("folder", "archive", "Office")).folder.is_archived).toBe(true);
    expect((await admin("folder", "list")).folders).toHaveLength(1);
    expect(await lines("folder", "list", "--archived")).toMatch(/Office +archived +What we do/);
    expect((await admin("folder", "unarchive", "Office")).folder.is_archived).toBe(false);
    expect(await refusal("folder", "update", "Office")).toStartWith("2 chatd: Nothing to change");
    expect(await refusal("folder", "archive", "Attic")).toStartWith(
      "1 chatd: There is no channel folder 'Attic'",
    );
  });

  test("emoji are added from a file and removed", async () => {
    const { admin, lines, refusal } = await provision();
    const file = join(freshFolder(), "parrot.png");
    writeFileSync(file, staticPng);
    expect(await lines("emoji", "add", "team_parrot", file)).toBe(
      "Added the emoji :team_parrot:.\n",
    );
    expect((await admin("emoji", "list")).emoji).toMatchObject([
      { name: "team_parrot", author_id: null },
    ]);
    expect(await refusal("emoji", "add", "team_parrot", file)).toContain(
      "There is an emoji :team_parrot: already.",
    );
    expect(await refusal("emoji", "add", "other", "no-such-file.png")).toContain("cannot be read");
    expect(await lines("emoji", "remove", "team_parrot")).toBe(
      "Removed the emoji :team_parrot:.\n",
    );
    expect((await admin("emoji", "list")).emoji).toEqual([]);
  });

  test("somebody's name and address are changed", async () => {
    const { admin, lines, refusal } = await provision();
    const { user } = await admin(
      "user",
      "update",
      "alice@example.com",
      "--name",
      "Alicia",
      "--email",
      "al@example.com",
    );
    expect(user).toMatchObject({ email: "al@example.com", full_name: "Alicia" });
    expect(await lines("user", "update", "al@example.com", "--email", "ally@example.com")).toBe(
      "Changed: Alicia, ally@example.com.\n",
    );
    expect(await refusal("user", "update", "alice@example.com", "--name", "x")).toStartWith(
      "1 chatd: Nobody in",
    );
    expect(
      await refusal("user", "update", "ally@example.com", "--email", "bob@example.com"),
    ).toStartWith("1 chatd: ");
    expect(await refusal("user", "update", "ally@example.com")).toStartWith(
      "2 chatd: Nothing to change",
    );
  });

  test("reach the clients of a server beside them", async () => {
    const { place, credentials } = await provisioned();
    const server = await serve(place);
    const greta = clientOf(server.site, credentials, "greta");
    const queue = await greta.register({
      event_types: [
        "realm_linkifiers",
        "realm_playgrounds",
        "realm_domains",
        "custom_profile_fields",
        "channel_folder",
      ],
    });
    await mustChatd(["admin", "linkifier", "add", "a", "https://x.example/", ...place]);
    await mustChatd([
      "admin",
      "playground",
      "add",
      "P",
      "Rust",
      "https://x.example/{code}",
      ...place,
    ]);
    await mustChatd(["admin", "domain", "add", "example.com", ...place]);
    await mustChatd(["admin", "profile-field", "add", "date", "--name", "Born", ...place]);
    await mustChatd(["admin", "folder", "create", "Work", ...place]);
    const types = (await queue.events()).map(({ type }) => type);
    expect(types).toEqual([
      "realm_linkifiers",
      "realm_playgrounds",
      "realm_domains",
      "custom_profile_fields",
      "channel_folder",
    ]);
    expect(await server.stop()).toBe(0);
  });
});
