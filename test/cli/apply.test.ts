import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "../support/client";
import {
  chatd,
  freshFolder,
  mustChatd,
  organizationFile,
  places,
  readCredentials,
  serve,
  sqlite,
} from "./chatd";
import { linksIn, pressed } from "./printed-links";

/** A file with an organization in it. */
function organization(text: string | Buffer): string {
  const path = join(freshFolder(), "org.yaml");
  writeFileSync(path, text);
  return path;
}

const realm = "realm: {name: Acme, host: localhost}\n";

const small = `${realm}users:
  - {email: olga@example.com, name: Olga, role: owner}
  - {email: alice@example.com, name: Alice, role: member}
`;

describe.each(places)("admin apply on $engine", ({ fresh, provisioned }) => {
  test("makes what the file declares, and the second time changes nothing", async () => {
    const place = await fresh();
    const apply = (...options: string[]) =>
      mustChatd(["admin", "apply", organizationFile, ...place, ...options]);
    const planned = await apply("--diff", "--json");
    const first = await apply("--json");
    expect(planned.code).toBe(3);
    expect(planned.json()).toEqual({ ...first.json(), undeclared: {} });
    expect(first.json().changes).toContain("+ user olga@example.com (owner)");
    expect(first.json().changes).toContain(
      "+ subscription core: olga@example.com, alice@example.com",
    );
    expect((await apply("--diff", "--json")).json().changes).toEqual([]);
    expect((await apply()).stdout).toBe("Nothing to change.\n");
    const users = (await mustChatd(["admin", "user", "list", "--json", ...place])).json().users;
    expect(users.length).toBe(14);
    expect(users.at(-1)).toMatchObject({
      email: "robot-bot@example.com",
      role: "member",
      is_bot: true,
    });
  });

  test("changes what the file declares otherwise, and leaves alone what it does not name", async () => {
    const { place } = await provisioned();
    const changed = organization(`
realm: {name: Acme Corporation, host: localhost, settings: {waiting_period_threshold: 3, can_create_groups: "role:owners"}}
users:
  - {email: OLGA@example.com, name: Olga, role: administrator}
  - {email: adam@example.com, name: Adam Administrator, role: owner}
  - {email: zoe@example.com, name: Zoe}
groups:
  - {name: devs, description: Builders, members: [bob@example.com, zoe@example.com], subgroups: [ops, "role:owners"]}
  - {name: ops}
channels:
  - {name: General, default: false}
  - {name: random, description: Else, subscribers: [alice@example.com, zoe@example.com]}
`);
    const apply = (...options: string[]) =>
      mustChatd(["admin", "apply", changed, "--json", ...place, ...options]);
    const diff = (await apply("--diff")).json().changes;
    expect(diff).toEqual([
      '~ organization: name "Acme Corporation"',
      "~ organization: waiting_period_threshold 3",
      '~ organization: can_create_groups "role:owners"',
      "+ user zoe@example.com (member)",
      "~ user adam@example.com: role owner",
      "~ user OLGA@example.com: name Olga",
      "~ user OLGA@example.com: role administrator",
      '~ group devs: description "Builders"',
      "+ member of devs: zoe@example.com",
      "- member of devs: alice@example.com",
      "+ group ops",
      "+ subgroup of devs: ops, role:owners",
      "~ channel general: default false",
      '~ channel random: description "Else"',
      "+ subscription random: zoe@example.com",
      "- subscription random: bob@example.com, greta@example.com, robot-bot@example.com",
    ]);
    expect((await apply()).json().changes).toEqual(diff);
    expect((await apply("--diff")).json().changes).toEqual([]);
  });

  test("declares what new people start with, those in the same file too", async () => {
    const place = await fresh();
    await mustChatd(["admin", "apply", organization(small), ...place]);
    const file = organization(`
realm: {name: Acme, host: localhost, settings: {default_language: de}, user_defaults: {enter_sends: true, color_scheme: 1}}
users:
  - {email: nina@example.com, name: Nina}
`);
    const apply = async () =>
      (await mustChatd(["admin", "apply", file, "--json", ...place])).json().changes;
    expect(await apply()).toEqual([
      '~ organization: default_language "de"',
      "~ new users: enter_sends true",
      "+ user nina@example.com (member)",
    ]);
    expect(await apply()).toEqual([]);
    const { defaults } = (
      await mustChatd(["admin", "realm", "defaults", "--json", ...place])
    ).json();
    expect(defaults).toMatchObject({ default_language: "de", enter_sends: true, color_scheme: 1 });
    const server = await serve(place);
    const started = async (email: string) => {
      const key = (
        await mustChatd(["admin", "api-key", "issue", email, "--json", ...place])
      ).json();
      const client = new Client(server.site, "localhost", { email, apiKey: key.api_key });
      return (await client.register({ fetch_event_types: ["user_settings"] })).state.user_settings;
    };
    expect(await started("nina@example.com")).toMatchObject({
      enter_sends: true,
      default_language: "de",
    });
    expect(await started("alice@example.com")).toMatchObject({
      enter_sends: false,
      default_language: "en",
    });
  });

  test("reactivates those who are declared", async () => {
    const { place } = await provisioned();
    await mustChatd(["admin", "user", "deactivate", "alice@example.com", "--yes", ...place]);
    const { changes } = (
      await mustChatd(["admin", "apply", organizationFile, "--json", ...place])
    ).json();
    expect(changes).toEqual([
      "~ user alice@example.com: reactivated",
      "~ user robot-bot@example.com: reactivated",
    ]);
    expect(
      (await mustChatd(["admin", "apply", organizationFile, "--json", ...place])).json().changes,
    ).toEqual([]);
  });

  test("writes keys for everybody who is declared, which replace the earlier ones", async () => {
    const place = await fresh();
    const file = join(freshFolder(), "credentials.json");
    const apply = () =>
      mustChatd(["admin", "apply", organizationFile, "--credentials", file, ...place]);
    expect((await apply()).stderr).not.toContain("have ended");
    const first = readCredentials(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Object.keys(first)).toEqual(["site", "realm", "users"]);
    expect(first).toMatchObject({ site: "http://localhost:8080", realm: "Acme" });
    expect(first.users.length).toBe(14);
    const keyForm = expect.stringMatching(/^[A-Za-z0-9]{32}$/);
    expect(first.users.slice(0, 2)).toEqual([
      {
        email: "olga@example.com",
        full_name: "Olga Owner",
        role: "owner",
        user_id: expect.any(Number),
        api_key: keyForm,
        is_bot: false,
      },
      {
        email: "adam@example.com",
        full_name: "Adam Administrator",
        role: "administrator",
        user_id: expect.any(Number),
        api_key: keyForm,
        is_bot: false,
      },
    ] as typeof first.users);
    expect((await apply()).stderr).toContain(
      "The API keys of an earlier credentials file have ended (14). Programs need those of the new file.",
    );
    const second = readCredentials(file);
    expect(second.users.map(({ user_id }) => user_id)).toEqual(
      first.users.map(({ user_id }) => user_id),
    );
    const keys = await mustChatd([
      "admin",
      "api-key",
      "list",
      "olga@example.com",
      "--json",
      ...place,
    ]);
    expect(keys.json().api_keys.map(({ label }: { label: string }) => label)).toEqual([
      "credentials",
    ]);
    expect(second.users[0]?.api_key).not.toBe(first.users[0]?.api_key ?? "");
    expect(readdirSync(join(file, ".."))).toEqual(["credentials.json"]);
  });

  test("takes a new organization away again when the rest of it is refused", async () => {
    const place = await fresh();
    await mustChatd([
      "admin",
      "realm",
      "create",
      "--name",
      "Other",
      "--host",
      "other.example.com",
      ...place,
    ]);
    const file = organization(
      "realm: {name: Acme, host: localhost, settings: {can_create_groups: 4711}}\n",
    );
    expect((await chatd(["admin", "apply", file, ...place])).code).toBe(1);
    const { realms } = (await mustChatd(["admin", "realm", "list", "--json", ...place])).json();
    expect(realms.map(({ host }: { host: string }) => host)).toEqual(["other.example.com"]);
  });
});

describe("an organization's file", () => {
  const complaints = async (text: string | Buffer) => {
    const data = join(freshFolder(), "data");
    const { code, stdout, stderr } = await chatd([
      "admin",
      "apply",
      organization(text),
      "--data",
      data,
      "--json",
    ]);
    expect([code, stdout, existsSync(data)]).toEqual([1, "", false]);
    return JSON.parse(stderr).msg.split("\n");
  };

  test("names the line of each unknown key, in every form of YAML", async () => {
    const text = `# passwort: is not a key here, but below
${realm}users:
  - {email: olga@example.com, name: "passwort: x", role: owner,
     passwort: secret-enough}
  - email: alice@example.com
    name: Alice
    role: member
    private: true
channels:
  - {name: core, private: true}
  - "name": general
    'defualt': true
chanels: []
`;
    expect(await complaints(text)).toEqual([
      "org.yaml:5:6: unknown key 'passwort' in a user. Known: email, name, role, password. Did you mean 'password'?",
      "org.yaml:9:5: unknown key 'private' in a user. Known: email, name, role, password.",
      expect.stringContaining("org.yaml:13:5: unknown key 'defualt' in a channel."),
      expect.stringContaining(
        "org.yaml:14:1: unknown key 'chanels' in an organization. Known: realm, users, bots, groups",
      ),
    ]);
  });

  test("names the line of each value that is not possible", async () => {
    const text = `realm: {name: Acme, host: "no host", settings: {invite_required: 3, nonsense: 1}, user_defaults: {color_scheme: 9, timezone: UTC}}
users:
  - {email: olga@example.com, name: 12, role: boss}
  - {email: Olga@Example.com, name: Olga, role: owner, password: short}
  - {name: Nobody}
  - {email: user7@localhost, name: Seven}
groups:
  - {name: one, subgroups: [two]}
  - {name: two, subgroups: [one], members: alice@example.com}
channels:
  - {name: general, default: 1, subscribers: everybody}
  - {name: General, private: true, default: true}
  - {name: open, private: false, shared_history: false}
`;
    expect(await complaints(text)).toEqual([
      expect.stringContaining("org.yaml:1:21: 'no host' is not a host name."),
      "org.yaml:1:49: invite_required must be true or false.",
      "org.yaml:1:69: unknown key 'nonsense' in settings: an organization has no such setting.",
      expect.stringContaining("org.yaml:1:99: color_scheme must be one of"),
      "org.yaml:1:116: There is no setting 'timezone' that an organization chooses for new users.",
      "org.yaml:3:31: name must be text: put it in quotes.",
      expect.stringContaining("org.yaml:3:41: there is no role 'boss'."),
      "org.yaml:4:6: Olga@Example.com is there twice.",
      "org.yaml:4:56: a password must have 8 to 100 characters.",
      "org.yaml:5:5: 'email' is missing.",
      "org.yaml:8:17: the group 'one' contains itself.",
      "org.yaml:9:17: the group 'two' contains itself.",
      "org.yaml:9:35: members must be a list.",
      "org.yaml:11:21: default must be true or false.",
      "org.yaml:11:33: subscribers must be 'all' or a list of e-mail addresses.",
      "org.yaml:12:6: 'General' is there twice.",
      "org.yaml:12:36: A private channel cannot be a default channel.",
      "org.yaml:13:34: the history of a public channel is open to everybody.",
    ]);
  });

  test("is read in no time where groups are in each other in very many ways", async () => {
    const layers = Array.from({ length: 40 }, (_, layer) =>
      ["a", "b"].map((one) => [`${one}${layer}`, layer + 1] as const),
    );
    const groups = layers
      .flat()
      .map(([name, next]) => `  - {name: ${name}, subgroups: [a${next}, b${next}]}\n`);
    const text = `realm: {name: Acme, host: "no host"}\ngroups:\n${groups.join("")}`;
    expect(await complaints(text)).toEqual([
      expect.stringContaining("org.yaml:1:21: 'no host' is not a host name."),
    ]);
  });

  test("names the line at which it stops being YAML, and a part that is there twice", async () => {
    expect(await complaints(`${small}  - {email: bob\n  - next\n`)).toEqual([
      expect.stringMatching(/^org\.yaml:6:3: this is not valid YAML from here on: /),
    ]);
    expect(await complaints(`${small}users: []\n`)).toEqual([
      "org.yaml:5:1: users is there twice.",
    ]);
    expect(await complaints("users: []\n")).toEqual([
      "org.yaml:1:1: 'realm' is missing: {name: …, host: …}.",
    ]);
    expect(await complaints("- 1\n")).toContainEqual(
      expect.stringContaining(
        "org.yaml:1:1: an organization must be a mapping with the keys realm, users, bots, groups",
      ),
    );
  });

  test("is refused in another encoding than UTF-8, with the line, because names would be mangled", async () => {
    const latin = Buffer.from(`${small}channels: [{name: Café}]\n`, "latin1");
    expect(await complaints(latin)).toEqual([
      "org.yaml:5:1: this line is not in UTF-8: save the file in UTF-8.",
    ]);
    const utf16 = Buffer.from(`\uFEFF${small}`, "utf16le");
    expect(await complaints(utf16)).toEqual([expect.stringContaining("org.yaml:1:1: this line")]);
  });

  test("is read before anything is opened, and so is the place of the credentials", async () => {
    const folder = freshFolder();
    const missing = await chatd([
      "admin",
      "apply",
      join(folder, "none.yaml"),
      "--data",
      join(folder, "data"),
    ]);
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringContaining("none.yaml cannot be read"),
    ]);
    const file = join(folder, "no-such-folder", "credentials.json");
    const unwritable = [
      "admin",
      "apply",
      organizationFile,
      "--credentials",
      file,
      "--data",
      join(folder, "data"),
    ];
    const unwritten = await chatd(unwritable);
    expect([unwritten.code, unwritten.stderr]).toEqual([
      1,
      expect.stringContaining("credentials.json cannot be written"),
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("leaves no credentials file when it is refused", async () => {
    const folder = freshFolder();
    const broken = organization(
      `${small}bots: [{email: b@example.com, name: B, owner: x@example.com}]\n`,
    );
    const credentials = ["--credentials", join(folder, "credentials.json")];
    expect(
      (await chatd(["admin", "apply", broken, ...credentials, "--data", join(folder, "data")]))
        .code,
    ).toBe(1);
    expect(readdirSync(folder).filter((name) => name.startsWith("credentials"))).toEqual([]);
    const served = await chatd([
      "serve",
      "--ephemeral",
      "--port",
      "0",
      "--apply",
      broken,
      ...credentials,
    ]);
    expect([served.code, served.stdout]).toEqual([1, ""]);
    expect(readdirSync(folder).filter((name) => name.startsWith("credentials"))).toEqual([]);
  });
});

test("an organization without an owner is told by apply and by serve, until there is one", async () => {
  const ownerless = organization(
    `${realm}users: [{email: alice@example.com, name: Alice, role: administrator}]\n`,
  );
  const [place, served] = [0, 1].map(() => ["--data", join(freshFolder(), "data")]);
  const apply = async () =>
    (await mustChatd(["admin", "apply", ownerless, ...(place ?? [])])).stderr;
  const warning =
    "The organization Acme has no owner, so nobody can change all of its settings in a client. Declare one in the file (role: owner), or make somebody one: chatd admin user role EMAIL owner\n";
  expect(await apply()).toBe(warning);
  expect(await apply()).toBe(warning);
  await mustChatd(["admin", "user", "role", "alice@example.com", "owner", ...(place ?? [])]);
  const declared = organization(small);
  expect((await mustChatd(["admin", "apply", declared, ...(place ?? [])])).stderr).toBe("");
  const server = await serve(["--apply", ownerless, ...(served ?? [])]);
  expect(server.stderr()).toContain('"event":"no_owner"');
  expect(await server.stop()).toBe(0);
  const other = await serve(["--apply", declared, ...(served ?? [])]);
  expect(other.stderr()).not.toContain("no_owner");
  expect(await other.stop()).toBe(0);
});

test("the owner of the first start is not left behind by --apply: the file's owner takes over", async () => {
  const place = ["--data", join(freshFolder(), "data")];
  const first = await serve([...place, "--json"]);
  const key: string = JSON.parse(first.stdout()).api_key;
  expect(await first.stop()).toBe(0);
  const diff = await mustChatd(["admin", "apply", organizationFile, "--diff", ...place]);
  expect(diff.stdout).toContain("- user owner@example.com: the owner of the first start");
  const second = await serve(["--apply", organizationFile, ...place]);
  const owner = new Client(second.site, "localhost", { email: "owner@example.com", apiKey: key });
  expect((await owner.get("/users/me")).status).toBe(401);
  const { users } = (await mustChatd(["admin", "user", "list", "--json", ...place])).json();
  const active = users.filter((user: { is_active: boolean }) => user.is_active);
  expect(active.map(({ email }: { email: string }) => email)).toContain("olga@example.com");
  expect(active.map(({ email }: { email: string }) => email)).not.toContain("owner@example.com");
  const again = await mustChatd(["admin", "apply", organizationFile, "--diff", ...place]);
  expect(again.stdout).toBe("Nothing to change.\n");
  expect(await second.stop()).toBe(0);
});

test("an owner of the first start who has signed in, or has bots, stays when a file declares another owner", async () => {
  const [signedIn, withBot] = [0, 1].map(() => ["--data", join(freshFolder(), "data")]);
  const leaves = async (place: string[] = []) => {
    const { stdout } = await mustChatd(["admin", "apply", organizationFile, "--diff", ...place]);
    return stdout.includes("- user owner@example.com");
  };
  const server = await serve(signedIn ?? []);
  expect(await leaves(signedIn)).toBe(true);
  await pressed(linksIn(server.stdout())[0]?.url ?? "");
  expect(await leaves(signedIn)).toBe(false);
  expect(await server.stop()).toBe(0);
  const other = await serve(withBot ?? []);
  const bot = ["bot", "add", "ci", "--name", "CI", "--owner", "owner@example.com"];
  await mustChatd(["admin", ...bot, ...(withBot ?? [])]);
  expect(await leaves(withBot)).toBe(false);
  const declared = ["--data", join(freshFolder(), "data")];
  const people = (...lines: string[]) => organization(`${realm}users:\n${lines.join("\n")}\n`);
  const olivia = "  - {email: owner@example.com, name: Owner, role: member}";
  const olga = "  - {email: olga@example.com, name: Olga, role: owner}";
  await mustChatd(["admin", "apply", people(olga, olivia), ...declared]);
  const without = await mustChatd(["admin", "apply", people(olga), "--diff", ...declared]);
  expect(without.stdout).not.toContain("- user owner@example.com");
  expect(await other.stop()).toBe(0);
});

test("admin apply refuses what does not fit what is stored with its line, and changes nothing", async () => {
  const { place } = await sqlite.provisioned();
  const file = organization(`${realm}users:
  - {email: new@example.com, name: New, role: member}
  - {email: robot-bot@example.com, name: Robot, role: member}
  - {email: notification-bot@localhost, name: Notifier, role: member}
bots:
  - email: other-bot@example.com
    name: Other
    owner: nobody@example.com
groups:
  - {name: devs, subgroups: [dreamers]}
channels:
  - {name: core, web_public: true}
  - name: random
    subscribers:
      - alice@example.com
      - nobody@example.com
`);
  const { code, stderr } = await chatd(["admin", "apply", file, ...place]);
  expect(code).toBe(1);
  expect(stderr.trim().split("\n")).toEqual([
    "chatd: org.yaml:4:6: 'robot-bot@example.com' is the address of a bot.",
    "chatd: org.yaml:5:6: 'notification-bot@localhost' is the address of a bot of the system.",
    "chatd: org.yaml:9:5: nobody has the e-mail address 'nobody@example.com', here or in the organization.",
    "chatd: org.yaml:11:30: there is no group 'dreamers', here or in the organization.",
    "chatd: org.yaml:13:18: a private channel is not open to the web: declare one of both.",
    "chatd: org.yaml:17:9: nobody has the e-mail address 'nobody@example.com', here or in the organization.",
  ]);
  const { users } = (await mustChatd(["admin", "user", "list", "--json", ...place])).json();
  expect(users.map(({ email }: { email: string }) => email)).not.toContain("new@example.com");
});
