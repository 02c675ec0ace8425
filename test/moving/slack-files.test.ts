import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { importFile } from "../../src/moving/import/import-file";
import type { Skipped } from "../../src/moving/import/report";
import { withoutTokens } from "../../src/moving/import/slack/text";
import { signInAll } from "../support/archives/realm-view";
import { writeSlackExport } from "../support/archives/slack-export";
import { importSlack, readAll, slackHost, slackImports } from "../support/archives/slack-import";
import { makeWorld } from "../support/world";

const { remove, nextPath, imported } = slackImports();
afterAll(remove);

describe("the token with which Slack exports the addresses of files", () => {
  const token = "xoxe-123456789012-abcdef0123456789";
  const flags = { outbound_networks_allowed: "127.0.0.1" };

  /**
   * Files as Slack gives them out to whoever has the token: others are led to a page to sign in.
   */
  function startSlack() {
    const asked: string[] = [];
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        const { pathname, searchParams } = new URL(request.url);
        asked.push(pathname);
        if (searchParams.get("t") !== token)
          return Response.redirect("https://acme.slack.com/", 302);
        if (pathname === "/page")
          return new Response("<p>Sign in</p>", { headers: { "content-type": "text/html" } });
        return new Response(`the content of ${pathname}`);
      },
    });
    return { url: `http://127.0.0.1:${server.port}`, asked, close: () => server.stop(true) };
  }

  const file = (id: string, address: string, more: object = {}) => ({
    id,
    name: `${id}.txt`,
    title: id,
    mimetype: "text/plain",
    url_private: address,
    ...more,
  });
  let second = 1_546_340_500;
  const shares = (...files: object[]) => ({
    type: "message",
    user: "U1",
    ts: `${second++}.000100`,
    text: "look",
    files,
  });
  const day = (...messages: object[]) => ({ "old-stuff/2019-01-02.json": messages });

  test("opens files for the import and is in nothing that anybody sees", async () => {
    const slack = startSlack();
    const [good, bad] = [`?t=${token}`, "?t=xoxe-1-revoked"];
    const { world, report, told, person } = await imported(
      {
        ...day(
          shares(
            file("F10", `${slack.url}/F10${good}`, { size: 19 }),
            file("F11", `${slack.url}/F11?a=1&t=${token}&b=2`),
          ),
          shares(
            file("F10", `${slack.url}/F10${good}`, { size: 19 }),
            file("F12", `${slack.url}/F12${bad}`),
          ),
          shares(
            file("F13", `${slack.url}/page${good}`),
            file("F14", `${slack.url}/F14${good}`, { size: 5, title: `F14${good}` }),
          ),
          shares(
            file("F15", `${slack.url}/F15${good}`, { size: 2 ** 40 }),
            file("F17", `${slack.url}/F17${good}`, { size: 19, title: `copy of F10${good}` }),
            file("F16", "https://docs.example.com/x", { is_external: true }),
          ),
          {
            type: "message",
            user: "U1",
            ts: "1546340600.000100",
            text: `<${slack.url}/F10${good}|this> <${slack.url}/F11?t=${token}&amp;pretty=1> \`${token}\` https://example.com/?redir=x%3Ft%3D${token}`,
          },
        ),
        "channels.json": [
          {
            id: "C2",
            name: "old-stuff",
            created: 1,
            members: ["U1"],
            purpose: { value: `see ${slack.url}/F10${good}` },
          },
        ],
      },
      flags,
    );
    expect(slack.asked).toEqual(["/F10", "/F11", "/F12", "/page", "/F14", "/F17"]);
    const messages = (await readAll(person("ann"))).filter(
      ({ timestamp }) => Number(timestamp) > 1_546_340_400,
    );
    const texts = messages
      .filter(({ display_recipient }) => display_recipient === "old-stuff")
      .map(({ content }) => content);
    const own = (name: string) =>
      expect.stringMatching(new RegExp(`\\[${name}\\]\\(/user_uploads/\\d+/[\\w-]+/${name}\\)`));
    expect(texts).toEqual([
      own("F10"),
      own("F10"),
      `look\n[F13](${slack.url}/page)\n[F14](${slack.url}/F14)`,
      expect.stringMatching(
        /^look\n\[F15\]\([^?]+\/F15\)\n\[copy of F10\]\([^?]+\)\n\[F16\]\(https:\/\/docs.example.com\/x\)$/,
      ),
      `[this](${slack.url}/F10) ${slack.url}/F11?pretty=1 \`xoxe-…\` https://example.com/?redir=x%3Ft%3Dxoxe-…`,
    ]);
    expect(String(texts[1])).toContain(`[F12](${slack.url}/F12)`);
    for (const name of ["F10", "F11"]) {
      const path = texts
        .map((text) => new RegExp(`\\[${name}\\]\\(([^)]+)`).exec(String(text))?.[1])
        .find(Boolean);
      expect(await (await person("ann")?.open(String(path)))?.text()).toBe(
        `the content of /${name}`,
      );
    }
    expect(report.skipped).toMatchObject({
      "files: cannot be fetched: the answer was 302": 1,
      "files: cannot be fetched: the answer was not the file": 2,
      "files: are larger than 100 MiB: fetch them by hand": 1,
    });
    expect(told.find(({ why }) => why === "cannot be fetched: the answer was 302")?.which).toMatch(
      /^old-stuff \d+\.\d+ F12$/,
    );
    const seen = [
      messages,
      await readAll(person("ann"), false),
      report,
      told,
      world.logged,
      (await person("ann")?.get("/streams", { exclude_archived: false }))?.body,
      (await person("ann")?.get("/attachments"))?.body,
    ];
    expect(JSON.stringify(seen)).not.toMatch(/xoxe-\w/);
    await world.close();
    await slack.close();
  });

  test.each([
    ["https://files.example/a?t=xoxe.xoxp-1-abc", "https://files.example/a"],
    ["https://files.example/a?t=xoxe.xoxp-1-abc&b=2", "https://files.example/a?b=2"],
    ["https://files.example/a?t=xoxp-1-abc", "https://files.example/a"],
    ["see https://files.example/a?t=xoxe-1-abc.", "see https://files.example/a."],
    ["it is xoxe.xoxp-1-abc, or xoxe-1-abc.", "it is xoxe-…, or xoxe-…."],
  ])("is cut, also one that is renewed from time to time: %s", (text, without) =>
    expect(withoutTokens(text)).toBe(without),
  );

  test("is used where it is one that is renewed from time to time", async () => {
    const slack = startSlack();
    const renewed = `${slack.url}/F50?t=xoxe.xoxp-1-abc`;
    const { world, report, person } = await imported(day(shares(file("F50", renewed))), flags);
    expect(slack.asked).toEqual(["/F50"]);
    expect(report.skipped).toMatchObject({ "files: cannot be fetched: the answer was 302": 1 });
    expect(JSON.stringify(await readAll(person("ann")))).not.toContain("xoxe.");
    await world.close();
    await slack.close();
  });

  test("is not used for a trial or a repetition, nor any more once five files in a row were not given out", async () => {
    const slack = startSlack();
    const files = Array.from({ length: 8 }, (_, index) =>
      file(`F${20 + index}`, `${slack.url}/F${index}?t=xoxe-1-old`),
    );
    const { world, report, path: first } = await imported(day(shares(...files)), flags);
    expect(slack.asked).toHaveLength(5);
    expect(await importSlack(world.app, first)).toMatchObject({ wasThere: true });
    expect(report.skipped).toMatchObject({
      "files: cannot be fetched: the answer was 302": 5,
      "files: were not fetched, because several before them could not be fetched": 3,
    });
    const path = nextPath();
    writeSlackExport(path, day(shares(file("F30", `${slack.url}/F30?t=${token}`))));
    const wanted = {
      from: "slack",
      host: "dry.example.org",
      name: undefined,
      isDry: true,
    } as const;
    const dry = await importFile(world.app, path, wanted, { progress: () => undefined });
    expect(dry.skipped).toMatchObject({
      "files: are at Slack: an import fetches them, a preview does not": 1,
    });
    expect(slack.asked).toHaveLength(5);
    await world.close();
    await slack.close();
  });

  test("G1: opens nothing at an address that is not on the open internet", async () => {
    const slack = startSlack();
    const { world, report } = await imported(
      day(shares(file("F40", `${slack.url}/F40?t=${token}`))),
    );
    expect(slack.asked).toEqual([]);
    const [why] = Object.keys(report.skipped).filter((reason) =>
      reason.startsWith("files: cannot be fetched"),
    );
    expect(why).toContain("is not on the open internet");
    expect(why).not.toContain("xoxe");
    await world.close();
    await slack.close();
  });
});

test("a file that is damaged inside the archive is left out, and the rest is imported", async () => {
  const world = await makeWorld();
  const path = nextPath();
  const file = { id: "F31", name: "plan.txt", title: "Plan", created: 1_546_340_400 };
  const says = (ts: string, text: string, more = {}) => ({
    type: "message",
    user: "U1",
    ts,
    text,
    ...more,
  });
  writeSlackExport(path, {
    "__uploads/F31/plan.txt": "words ".repeat(1_000),
    "old-stuff/2019-01-03.json": [
      says("1546500000.000100", "here is the plan", { files: [file] }),
      says("1546500001.000100", "after the plan"),
    ],
  });
  const bytes = readFileSync(path);
  const name = "__uploads/F31/plan.txt";
  bytes.fill(0xff, bytes.indexOf(name) + name.length, bytes.indexOf(name) + name.length + 4);
  writeFileSync(path, bytes);
  const told: Skipped[] = [];
  await importSlack(world.app, path, { tell: (one) => void told.push(one) });
  expect(told.find(({ which }) => which.endsWith(" Plan"))?.why).toBe(
    "This ZIP archive is damaged or incomplete: an entry is damaged.",
  );
  const people = await signInAll(world, slackHost);
  const contents = (await readAll(people.get("ann@example.com"))).map(({ content }) => content);
  expect(contents).toEqual(expect.arrayContaining(["here is the plan", "after the plan"]));
  await world.close();
});

test("messages of old exports have their file, and a comment on a file is its writer's message", async () => {
  const file = {
    id: "F51",
    user: "U2",
    name: "plan.txt",
    title: "Plan",
    url_private: "https://files.slack.com/F51/plan.txt",
  };
  const message = (ts: string, subtype: string, more: object) => ({
    type: "message",
    ts,
    text: subtype,
    subtype,
    ...more,
  });
  const { world, told, person } = await imported({
    "old-stuff/2017-01-03.json": [
      message("1483430400.000100", "file_share", { user: "U1", file }),
      message("1483430401.000100", "file_comment", { file, comment: { user: "U4", comment: "x" } }),
      message("1483430402.000100", "file_mention", { file }),
    ],
    "__uploads/F51/plan.txt": "leek soup",
  });
  const messages = (await readAll(person("ann"))).filter(
    ({ timestamp }) => Number(timestamp) < 1_500_000_000,
  );
  const ownFile = String.raw`\n\[Plan\]\(/user_uploads/\d+/[\w-]+/Plan\)$`;
  const shown = (text: string) => expect.stringMatching(new RegExp(`^${text}${ownFile}`));
  expect(messages.map((one) => [one["sender_full_name"], one["content"]])).toEqual([
    ["Ann", shown("file_share")],
    ["Dot", shown("file_comment")],
    ["Ben", shown("file_mention")],
  ]);
  expect(told.filter(({ which }) => which.includes("1483430"))).toEqual([]);
  await world.close();
});

test("the report says of a file that Slack does not give out why, and not that it is deleted", async () => {
  const files = [
    { id: "F61", mode: "tombstone" },
    { id: "F62", mode: "hidden_by_limit" },
    { id: "F63", mode: "file_access", file_access: "access_denied" },
    { id: "F64", file_access: "file_not_found" },
  ];
  const share = { type: "message", user: "U1", ts: "1546513200.000100", text: "see", files };
  const { world, told } = await imported({ "old-stuff/2019-01-03.json": [share] });
  const reasons = told
    .filter(({ which }) => which.startsWith("old-stuff 1546513200"))
    .map(({ why }) => why);
  expect(reasons).toEqual([
    "have been deleted",
    "are hidden by the limit of a free workspace: export again on a paid plan",
    "may not be read by the account that made the export",
    "were not found at Slack",
  ]);
  await world.close();
});
