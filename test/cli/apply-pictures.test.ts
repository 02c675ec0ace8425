import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { movingGif, paint, staticPng } from "../support/pictures";
import { chatd, clientOf, freshFolder, mustChatd, places, readCredentials, serve } from "./chatd";

/** An organization's file with pictures beside it. */
function organization(text: string, folder = freshFolder()): string {
  const path = join(folder, "org.yaml");
  writeFileSync(path, text);
  return path;
}

const withPictures = `realm: {name: Acme, host: localhost, icon: acme.png, logo: pictures/logo.png}
users: [{email: olga@example.com, name: Olga, role: owner}]
emoji:
  - {name: parrot, file: pictures/parrot.gif}
  - {name: "big wave", file: acme.png}
`;

function folderWithPictures(): string {
  const folder = freshFolder();
  mkdirSync(join(folder, "pictures"));
  writeFileSync(join(folder, "acme.png"), staticPng);
  writeFileSync(
    join(folder, "pictures/logo.png"),
    paint(30, 20, (x) => [x, 0, 0]),
  );
  writeFileSync(join(folder, "pictures/parrot.gif"), movingGif);
  return folder;
}

describe.each(places)("pictures that a file declares on $engine", ({ fresh }) => {
  test("are those of the organization and its emoji, once; another file changes them, null takes them away", async () => {
    const place = await fresh();
    const folder = folderWithPictures();
    const credentials = join(freshFolder(), "credentials.json");
    const apply = async (...options: string[]) =>
      (
        await mustChatd([
          "admin",
          "apply",
          join(folder, "org.yaml"),
          "--json",
          ...place,
          ...options,
        ])
      ).json().changes;
    organization(withPictures, folder);
    const planned = await apply("--diff");
    expect(planned).toEqual([
      "+ organization Acme (localhost)",
      "~ organization: icon acme.png",
      "~ organization: logo pictures/logo.png",
      "+ emoji parrot: pictures/parrot.gif",
      "+ emoji big_wave: acme.png",
      "+ user olga@example.com (owner)",
    ]);
    expect(await apply("--credentials", credentials)).toEqual(planned);
    expect(await apply()).toEqual([]);
    const server = await serve(place);
    const olga = clientOf(server.site, readCredentials(credentials), "olga");
    const shown = async () =>
      (await olga.register({ fetch_event_types: ["realm", "realm_emoji"] })).state;
    const first = await shown();
    expect([
      first.realm_icon_source,
      first.realm_logo_source,
      first.realm_night_logo_source,
    ]).toEqual(["U", "U", "D"]);
    expect((await fetch(new URL(first.realm_icon_url, server.site))).status).toBe(200);
    const emoji = Object.values<{ name: string; still_url: string | null; source_url: string }>(
      first.realm_emoji,
    );
    expect(emoji.map(({ name, still_url }) => [name, still_url !== null])).toEqual([
      ["parrot", true],
      ["big_wave", false],
    ]);
    for (const { source_url } of emoji)
      expect((await fetch(new URL(source_url, server.site))).status).toBe(200);
    writeFileSync(
      join(folder, "pictures/parrot.gif"),
      paint(5, 5, () => [1, 2, 3]),
    );
    organization(
      withPictures.replace("acme.png, logo: pictures/logo.png", "null, logo: acme.png"),
      folder,
    );
    const changes = [
      "~ organization: icon none of its own",
      "~ organization: logo acme.png",
      "~ emoji parrot: pictures/parrot.gif",
    ];
    expect(await apply("--diff")).toEqual(changes);
    expect(await apply()).toEqual(changes);
    expect(await apply()).toEqual([]);
    const second = await shown();
    expect([second.realm_icon_source, second.realm_logo_source]).toEqual(["G", "U"]);
    const current = Object.values<{ name: string; deactivated: boolean; still_url: string | null }>(
      second.realm_emoji,
    );
    expect(
      current.map(({ name, deactivated, still_url }) => [name, deactivated, still_url !== null]),
    ).toEqual([
      ["parrot", true, true],
      ["big_wave", false, false],
      ["parrot", false, false],
    ]);
    expect((await fetch(new URL(first.realm_icon_url, server.site))).status).toBe(404);
    expect(await server.stop()).toBe(0);
  });

  test("that are none, or whose organization is refused, leave nothing behind", async () => {
    const place = await fresh();
    const folder = folderWithPictures();
    writeFileSync(join(folder, "pictures/parrot.gif"), "no picture at all");
    const file = organization(withPictures, folder);
    for (const options of [["--diff"], []]) {
      const { code, stderr } = await chatd(["admin", "apply", file, ...options, ...place]);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining("org.yaml:4:20: pictures/parrot.gif: "),
      ]);
    }
    organization(
      withPictures
        .replace("parrot.gif", "logo.png")
        .replace(
          "users: [",
          "users: [{email: a@example.com, name: A, role: owner}]\nchannels: [{name: a, subscribers: [b@example.com]}]\nbots: []\n#",
        ),
      folder,
    );
    expect((await chatd(["admin", "apply", file, ...place])).code).toBe(1);
    expect((await mustChatd(["admin", "realm", "list", "--json", ...place])).json().realms).toEqual(
      [],
    );
  });
});

test("a picture that is not there, is too large or is named twice is told with its line, before anything is opened", async () => {
  const folder = folderWithPictures();
  writeFileSync(join(folder, "large.png"), new Uint8Array(5 * 1_048_576 + 1));
  const file = organization(
    `realm: {name: Acme, host: localhost, icon: missing.png, logo: 5}
emoji:
  - {name: large, file: large.png}
  - {name: Upper, file: acme.png}
  - {name: parrot, file: pictures}
  - {name: parrot}
  - {file: acme.png, colour: red}
`,
    folder,
  );
  const data = join(freshFolder(), "data");
  const { code, stderr } = await chatd(["admin", "apply", file, "--data", data, "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stderr).msg.split("\n")).toEqual([
    expect.stringContaining("org.yaml:1:38: missing.png cannot be read: "),
    "org.yaml:1:57: logo must be text: put it in quotes.",
    "org.yaml:3:19: large.png is too large: at most 5 MiB.",
    expect.stringContaining("org.yaml:4:6: An emoji's name consists of lowercase letters"),
    "org.yaml:5:20: pictures is not a regular file (pipes and devices are not read).",
    "org.yaml:6:5: 'file' is missing.",
    "org.yaml:6:6: 'parrot' is there twice.",
    "org.yaml:7:5: 'name' is missing.",
    "org.yaml:7:22: unknown key 'colour' in an emoji. Known: name, file.",
  ]);
});

test("a picture is a plain file below the folder: no pipe, device, socket or link that leads out is waited for", async () => {
  const folder = folderWithPictures();
  const inFolder = (name: string) => join(folder, name);
  execFileSync("mkfifo", [inFolder("pipe")]);
  const listener = createServer().listen(inFolder("socket"));
  symlinkSync("/dev/zero", inFolder("endless"));
  symlinkSync("/etc/passwd", inFolder("outside"));
  symlinkSync("/etc", inFolder("etc"));
  symlinkSync(inFolder("acme.png"), inFolder("inside"));
  writeFileSync(inFolder("sparse"), "");
  truncateSync(inFolder("sparse"), 2 ** 40);
  const named = [
    "pipe",
    "socket",
    "endless",
    "outside",
    "etc/passwd",
    "../acme.png",
    "/etc/passwd",
    "/dev/zero",
    "sparse",
  ];
  const emoji = [...named, "inside"]
    .map((file, index) => `  - {name: e${index}, file: ${file}}`)
    .join("\n");
  const file = organization(`realm: {name: Acme, host: localhost}\nemoji:\n${emoji}\n`, folder);
  const { code, stderr } = await chatd([
    "admin",
    "apply",
    file,
    "--data",
    join(freshFolder(), "data"),
    "--json",
  ]);
  listener.close();
  const below = "is not below the folder of the organization's file: put it there.";
  expect([code, JSON.parse(stderr).msg.split("\n")]).toEqual([
    1,
    [
      "org.yaml:3:16: pipe is not a regular file (pipes and devices are not read).",
      expect.stringContaining("org.yaml:4:16: socket cannot be read: "),
      ...["endless", "outside", "etc/passwd", "../acme.png", "/etc/passwd", "/dev/zero"].map(
        (name, index) => `org.yaml:${5 + index}:16: ${name} ${below}`,
      ),
      "org.yaml:11:16: sparse is too large: at most 5 MiB.",
    ],
  ]);
});

test("an organization's file, a picture and an export are plain files too", async () => {
  const folder = freshFolder();
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const place = ["--data", join(folder, "data")];
  const refusals: [string[], string][] = [
    ...[pipe, "/dev/zero", folder].map((path): [string[], string] => [
      ["apply", path],
      "is not a regular file",
    ]),
    [["apply", join(folder, "missing")], "cannot be read"],
    [["import", pipe, "--host", "copy.example.org"], "This file cannot be read"],
  ];
  await mustChatd(["admin", "realm", "create", "--name", "Acme", "--host", "localhost", ...place]);
  refusals.push([["realm", "icon", pipe, "--realm", "localhost"], "is not a regular file"]);
  refusals.push([
    ["emoji", "add", "x", "/dev/zero", "--realm", "localhost"],
    "is not a regular file",
  ]);
  for (const [words, reason] of refusals) {
    const { code, stderr } = await chatd(["admin", ...words, ...place]);
    expect([words, code, stderr]).toEqual([words, 1, expect.stringContaining(reason)]);
  }
});
