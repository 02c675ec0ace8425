import { describe, expect, test } from "bun:test";
import { ApiError } from "../../src/core/errors";
import { parseDeclaration } from "../../src/moving/organization/parse";

const realm = "realm: {name: Acme, host: localhost}\n";

/** Everything that is wrong with a file, each with its line and column. */
function complaints(text: string): string[] {
  try {
    parseDeclaration({ name: "org.yaml", text });
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.message.split("\n");
  }
}

describe("An organization's file names line and column", () => {
  test("of what is no YAML, and of a second document", () => {
    expect(complaints(`${realm}users:\n  - {email: bob\n  - next\n`)).toEqual([
      expect.stringMatching(/^org\.yaml:4:3: this is not valid YAML from here on: Flow map .+\.$/),
    ]);
    expect(complaints(`${realm}users:\n\t- bob\n`)).toEqual([
      "org.yaml:3:1: this is not valid YAML from here on: Tabs are not allowed as indentation.",
    ]);
    expect(complaints(`${realm}---\n${realm}`)).toEqual([
      "org.yaml:2:1: a second document begins here: there may be only one.",
    ]);
  });

  test("of each key that stands twice, at any depth", () => {
    const text = `${realm}users:
  - {email: olga@example.com, name: Olga, name: Else}
channels: []
"users": []
`;
    expect(complaints(text)).toEqual([
      "org.yaml:3:43: name is there twice.",
      "org.yaml:5:1: users is there twice.",
    ]);
  });

  test("of an unknown key, with the known one that is like it", () => {
    const text = `realm: {nmae: Acme, name: Acme, host: localhost, settings: {invite_requird: true, x: 1}}
chanels: []
channels:
  - name: core
    retentions: 30
  - {name: news, colour: red}
`;
    expect(complaints(text)).toEqual([
      "org.yaml:1:9: unknown key 'nmae' in realm. Known: name, host, settings, user_defaults, icon, logo, night_logo. Did you mean 'name'?",
      "org.yaml:1:61: unknown key 'invite_requird' in settings: an organization has no such setting. Did you mean 'invite_required'?",
      "org.yaml:1:83: unknown key 'x' in settings: an organization has no such setting.",
      expect.stringMatching(/^org\.yaml:2:1: unknown key 'chanels' .+ Did you mean 'channels'\?$/),
      expect.stringMatching(
        /^org\.yaml:5:5: unknown key 'retentions' .+ Did you mean 'retention'\?$/,
      ),
      expect.stringMatching(
        /^org\.yaml:6:18: unknown key 'colour' in a channel\. .+ subscribers\.$/,
      ),
    ]);
  });

  test("of numbers, booleans and nothing where a text is meant", () => {
    const text = `realm: {name: 2024, host: 1.5}
users:
  - {email: olga@example.com, name: true, role: owner}
  - {email: adam@example.com, name: ~, password: 12345678}
groups:
  - {name: 0x10, members: [7]}
channels:
  - {name: 1e3, description: , folder: 3, subscribers: [false]}
`;
    expect(complaints(text)).toEqual([
      "org.yaml:1:9: name must be text: put it in quotes.",
      "org.yaml:1:21: host must be text: put it in quotes.",
      "org.yaml:3:31: name must be text: put it in quotes.",
      "org.yaml:4:31: name must be text: put it in quotes.",
      "org.yaml:4:40: password must be text: put it in quotes.",
      "org.yaml:6:6: name must be text: put it in quotes.",
      "org.yaml:6:28: members must be a list of texts.",
      "org.yaml:8:6: name must be text: put it in quotes.",
      "org.yaml:8:17: description must be text: put it in quotes.",
      "org.yaml:8:32: folder must be text: put it in quotes.",
      "org.yaml:8:57: subscribers must be a list of texts.",
    ]);
  });

  test("of an alias of nothing, and of one within itself", () => {
    expect(complaints(`${realm}users: *people\n`)).toEqual([
      "org.yaml:2:8: there is no &people before this.",
    ]);
    expect(complaints(`realm: &it {name: Acme, host: localhost, settings: *it}\n`)).toEqual([
      "org.yaml:1:52: &it cannot be a part of itself.",
    ]);
  });

  test("of aliases that stand for billions of values, and of what is too deep, in no time", () => {
    const ten = (name: string) => Array(10).fill(`*${name}`).join(", ");
    const laughs = [..."bcdefghij"].map(
      (name, index) => `${name}: &${name} [${ten("abcdefghij".charAt(index))}]\n`,
    );
    expect(complaints(`a: &a [lol]\n${laughs.join("")}${realm}`)).toEqual([
      "org.yaml:2:8: aliases stand for more than 10000 values: write out some of them.",
    ]);
    expect(complaints(`users: ${"[".repeat(100_000)}`)).toEqual([
      expect.stringContaining(": too many lists and mappings are in each other here."),
    ]);
  });
});

test("An organization's file is YAML 1.2, with anchors and merge keys", () => {
  const text = `%YAML 1.1
---
realm: {name: no, host: localhost}
users:
  - &olga {email: olga@example.com, name: Olga, role: member}
  - {<<: *olga, email: adam@example.com}
channels: [{name: core, subscribers: &core [olga@example.com]}, {name: on, subscribers: *core}]
`;
  const { declaration } = parseDeclaration({ name: "org.yaml", text });
  expect(declaration.realm.name).toBe("no");
  expect(declaration.users.map(({ email, name }) => [email, name])).toEqual([
    ["olga@example.com", "Olga"],
    ["adam@example.com", "Olga"],
  ]);
  expect(declaration.channels.map(({ name, subscribers }) => [name, subscribers])).toEqual([
    ["core", ["olga@example.com"]],
    ["on", ["olga@example.com"]],
  ]);
});
