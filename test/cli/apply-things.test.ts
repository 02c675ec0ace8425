import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  chatd,
  clientOf,
  freshFolder,
  mustChatd,
  places,
  readCredentials,
  serve,
  sqlite,
} from "./chatd";

/** Things of an organization beside people, groups and channels, declared in its file. */
function organization(text: string): string {
  const path = join(freshFolder(), "org.yaml");
  writeFileSync(path, text);
  return path;
}

const head = `realm: {name: Acme, host: localhost, settings: {emails_restricted_to_domains: true}}
users: [{email: olga@example.com, name: Olga, role: owner}]
`;

const things = `${head}domains:
  - {domain: Example.com, allow_subdomains: true}
  - {domain: example.net}
linkifiers:
  - pattern: "#(?P<id>[0-9]+)"
    url_template: https://tracker.example/{id}
    example_input: "#12"
    reverse_template: "#{id}"
    alternative_url_templates: ["https://old.example/{id}"]
playgrounds:
  - {name: Rust, language: Rust, url_template: "https://play.example/?code={code}"}
profile_fields:
  - {name: Phone, type: short_text, hint: With area code, required: true, display_in_profile_summary: true}
  - {name: Lunch, type: dropdown, field_data: {a: {text: Soup, order: "1"}, b: {text: Bread, order: "2"}}}
  - {type: external_account, field_data: {subtype: github}}
folders:
  - {name: Work, description: What we **do**}
  - {name: Play}
channels:
  - {name: general, folder: work, subscribers: all}
  - {name: games, folder: Play}
`;

const changed = `${head}domains:
  - {domain: example.com}
linkifiers:
  - {pattern: "#(?P<id>[0-9]+)", url_template: "https://new.example/{id}"}
  - {pattern: "CVE-(?P<id>[0-9-]+)", url_template: "https://cve.example/{id}"}
playgrounds:
  - {name: Rust, language: Rust, url_template: "https://rust.example/?code={code}"}
profile_fields:
  - {name: Born, type: date, display_in_profile_summary: true}
  - {name: Phone, type: short_text, required: false, editable_by_user: false}
folders:
  - {name: WORK, description: Ours}
channels:
  - {name: general, folder: null}
  - {name: games, folder: Work}
`;

describe.each(places)("what a file declares beside people on $engine", ({ fresh }) => {
  test("is made, shown to clients, and made once", async () => {
    const place = await fresh();
    const credentials = join(freshFolder(), "credentials.json");
    const file = organization(things);
    const planned = (
      await mustChatd(["admin", "apply", file, "--diff", "--json", ...place])
    ).json();
    const applied = await mustChatd([
      "admin",
      "apply",
      file,
      "--json",
      "--credentials",
      credentials,
      ...place,
    ]);
    expect(applied.json().changes.toSorted()).toEqual(
      expect.arrayContaining(
        planned.changes.filter((one: string) => !one.includes("organization")).toSorted(),
      ),
    );
    expect(applied.json().changes).toEqual(
      expect.arrayContaining([
        "+ domain example.com (with subdomains)",
        "+ linkifier #(?P<id>[0-9]+): https://tracker.example/{id}",
        "+ playground Rust (Rust): https://play.example/?code={code}",
        "+ profile field Lunch (dropdown)",
        "+ profile field GitHub username (external_account)",
        "+ folder Work",
        "+ channel general (public, folder work)",
      ]),
    );
    expect((await mustChatd(["admin", "apply", file, ...place])).stdout).toBe(
      "Nothing to change.\n",
    );
    const server = await serve(place);
    const olga = clientOf(server.site, readCredentials(credentials), "olga");
    expect((await olga.get("/realm/domains")).body.domains).toEqual([
      { domain: "example.com", allow_subdomains: true },
      { domain: "example.net", allow_subdomains: false },
    ]);
    expect((await olga.get("/realm/linkifiers")).body.linkifiers).toMatchObject([
      {
        reverse_template: "#{id}",
        example_input: "#12",
        alternative_url_templates: ["https://old.example/{id}"],
      },
    ]);
    const fields = (await olga.get("/realm/profile_fields")).body.custom_fields;
    expect(fields).toMatchObject([
      {
        name: "Phone",
        type: 1,
        hint: "With area code",
        required: true,
        display_in_profile_summary: true,
      },
      { name: "Lunch", type: 3, required: false, editable_by_user: true },
      { name: "GitHub username", type: 7 },
    ]);
    const folders = (await olga.get("/channel_folders")).body.channel_folders;
    expect(folders).toMatchObject([
      { name: "Work", description: "What we **do**" },
      { name: "Play" },
    ]);
    const { streams } = (await olga.get("/streams")).body;
    expect(streams).toMatchObject([
      { name: "general", folder_id: folders[0].id },
      { name: "games", folder_id: folders[1].id },
    ]);
    expect(await server.stop()).toBe(0);
  });

  test("is changed where it is declared otherwise; what is not named stays", async () => {
    const place = await fresh();
    await mustChatd(["admin", "apply", organization(things), ...place]);
    const apply = (...options: string[]) =>
      mustChatd(["admin", "apply", organization(changed), "--json", ...place, ...options]);
    const { changes } = (await apply("--diff")).json();
    expect(changes).toEqual([
      "~ domain example.com: without subdomains",
      "~ linkifier #(?P<id>[0-9]+): https://new.example/{id}",
      "+ linkifier CVE-(?P<id>[0-9-]+): https://cve.example/{id}",
      "~ playground Rust (Rust): https://rust.example/?code={code}",
      "+ profile field Born (date)",
      "~ profile field Phone: required, editable_by_user",
      '~ folder Work: description "Ours"',
      "~ channel general: in no folder",
      "~ channel games: folder Work",
    ]);
    expect((await apply()).json().changes).toEqual(changes);
    expect((await apply("--diff")).json().changes).toEqual([]);
  });
});

/** An organization with two bots; the text goes on about the first, the second ends the file. */
const bots = (first: string, second = "") =>
  organization(`realm: {name: Acme, host: localhost}
users: [{email: olga@example.com, name: Olga, role: owner}]
bots:
  - {email: hook-bot@example.com, name: Hook, owner: olga@example.com, ${first}}
  - {email: alerts-bot@example.com, name: Alerts, owner: olga@example.com, kind: incoming-webhook}
${second}`);

describe.each(places)("bots of every kind that a file declares on $engine", ({ fresh }) => {
  test("are made once, and changed where they are reached otherwise", async () => {
    const place = await fresh();
    const apply = async (file: string) =>
      (await mustChatd(["admin", "apply", file, "--json", ...place])).json().changes;
    const outgoing = "kind: outgoing-webhook, payload_url: ";
    expect(await apply(bots(`${outgoing}"https://hooks.example/1"`))).toEqual([
      "+ organization Acme (localhost)",
      "+ user olga@example.com (owner)",
      "+ bot hook-bot@example.com (outgoing-webhook, owner olga@example.com)",
      "+ bot alerts-bot@example.com (incoming-webhook, owner olga@example.com)",
    ]);
    expect(await apply(bots(`${outgoing}"https://hooks.example/1"`))).toEqual([]);
    const moved = bots(`${outgoing}"https://hooks.example/2", interface: slack`);
    expect(await apply(moved)).toEqual(["~ bot hook-bot@example.com: payload_url, interface"]);
    expect(await apply(moved)).toEqual([]);
    expect(await apply(bots("kind: outgoing-webhook"))).toEqual([]);
    const listed = (await mustChatd(["admin", "bot", "list", "--json", ...place])).json().bots;
    expect(listed).toMatchObject([
      {
        email: "hook-bot@example.com",
        kind: "outgoing-webhook",
        payload_url: "https://hooks.example/2",
      },
      { email: "alerts-bot@example.com", kind: "incoming-webhook" },
    ]);
    const { code, stderr } = await chatd(["admin", "apply", bots("kind: generic"), ...place]);
    expect([code, stderr.trim()]).toEqual([
      1,
      "chatd: org.yaml:4:72: 'hook-bot@example.com' is of the kind outgoing-webhook, which stays.",
    ]);
  });
});

test("what cannot be is named by its line, before anything is opened", async () => {
  const file =
    organization(`${head}domains: [{domain: nowhere}, {domain: a.example}, {domain: A.example}]
linkifiers:
  - {pattern: "bad(", url_template: "https://x.example/"}
  - {url_template: "https://x.example/"}
  - {pattern: a, url_template: "https://x.example/", icon: x}
playgrounds:
  - {name: Rust, language: Rust, url_template: "https://play.example/"}
profile_fields:
  - {name: Phone, type: telephone}
  - {name: Lunch, type: dropdown}
  - {name: Team, type: users, display_in_profile_summary: true}
folders:
  - {name: " "}
  - {name: Work, description: 5}
`);
  const data = join(freshFolder(), "data");
  const { code, stderr } = await chatd(["admin", "apply", file, "--data", data, "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stderr).msg.split("\n")).toEqual([
    expect.stringContaining("org.yaml:3:12: 'nowhere' is no domain"),
    "org.yaml:3:52: 'a.example' is there twice.",
    expect.stringContaining("org.yaml:5:6: Bad regular expression"),
    "org.yaml:6:5: 'pattern' is missing.",
    expect.stringContaining("org.yaml:7:54: unknown key 'icon' in a linkifier."),
    expect.stringContaining('org.yaml:9:34: Missing the required variable "code"'),
    expect.stringContaining(
      "org.yaml:11:19: there is no type 'telephone'. Types: short_text, paragraph, dropdown",
    ),
    expect.stringContaining("org.yaml:12:19: The choices of a dropdown are"),
    "org.yaml:13:6: A field of users cannot be in the profile summary.",
    "org.yaml:15:6: The folder's name must not be empty.",
    "org.yaml:16:18: description must be text: put it in quotes.",
  ]);
});

test("what a file declares is refused with its line where it does not fit what is stored", async () => {
  const place = await sqlite.fresh();
  await mustChatd(["admin", "apply", organization(things), ...place]);
  const file = organization(`${head}profile_fields:
  - {name: Phone, type: paragraph}
  - {name: One, type: date, display_in_profile_summary: true}
  - name: Two
    type: date
    display_in_profile_summary: true
channels:
  - {name: general, folder: Attic}
`);
  const { code, stderr } = await chatd(["admin", "apply", file, ...place]);
  expect([code, stderr.trim().split("\n")]).toEqual([
    1,
    [
      "chatd: org.yaml:4:19: the profile field 'Phone' is of the type short_text, which stays.",
      "chatd: org.yaml:8:5: at most 2 fields are in the profile summary.",
      "chatd: org.yaml:10:21: there is no folder 'Attic', here or in the organization.",
    ],
  ]);
});

test("declared bots are refused with their line where they cannot be", async () => {
  const place = await sqlite.fresh();
  const file = bots(
    'kind: outgoing-webhook, payload_url: "ftp://x.example", interface: pigeon, service: tea',
    `  - {email: a-bot@example.com, name: A, owner: olga@example.com, kind: robot}
  - {email: b-bot@example.com, name: B, owner: olga@example.com, payload_url: "https://x.example"}
  - {email: c-bot@example.com, name: C, owner: olga@example.com, kind: embedded, service: tea, config: 5}
`,
  );
  const { code, stderr } = await chatd(["admin", "apply", file, ...place]);
  expect(code).toBe(1);
  expect(stderr.trim().split("\n")).toEqual([
    expect.stringContaining("org.yaml:4:96: The payload URL must begin with http:// or https://"),
    expect.stringContaining(
      "org.yaml:4:128: there is no interface 'pigeon'. Interfaces: own, slack.",
    ),
    expect.stringContaining("org.yaml:4:147: only bots of the kind embedded have 'service'."),
    expect.stringContaining(
      "org.yaml:6:66: there is no kind 'robot' of bots. Kinds: generic, incoming-webhook",
    ),
    expect.stringContaining(
      "org.yaml:7:66: only bots of the kind outgoing-webhook have 'payload_url'.",
    ),
    expect.stringContaining("org.yaml:8:82: There is no embedded bot 'tea' on this server."),
    expect.stringContaining("org.yaml:8:96: config_data must be an object of texts."),
  ]);
});
