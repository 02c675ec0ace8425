import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { freshFolder, mustChatd } from "../cli/chatd";
import { dropDatabase, freshDatabase } from "../support/databases/postgres";
import { root } from "../support/root";
import { type Receiver, startReceiver } from "../support/servers/receiver";
import { type Relay, startRelay } from "../support/servers/relay";
import { type S3Server, startS3Server } from "../support/servers/s3-server";
import { type Block, blocksOf, commandsOf, pagesWithBlocks } from "./blocks";
import { notRun, reasonFor } from "./not-run";
import { beginPage, type PageRun } from "./page-run";
import { type Plan, plansWith } from "./plans";
import { expectLogged } from "./shown-log";

/* Somebody follows each page of the documents from its top to its end. */

const pageMilliseconds = 90_000;
const seed = join(freshFolder(), "data");
let s3: S3Server;
let relay: Relay;
let receiver: Receiver;
let postgres: string | undefined;
let plans: Record<string, Plan>;

beforeAll(async () => {
  [s3, relay] = await Promise.all([startS3Server(), startRelay()]);
  receiver = startReceiver();
  if (process.env.CHATD_TEST_POSTGRES) postgres = await freshDatabase();
  await mustChatd(["admin", "apply", join(import.meta.dir, "organization.yaml"), "--data", seed]);
  plans = plansWith({ s3, relayPort: relay.port, receiver: receiver.url, postgres });
}, 200_000);

afterAll(async () => {
  await Promise.all([s3.stop(), relay.close(), receiver.close()]);
  if (postgres) await dropDatabase(postgres);
});

/** Languages of blocks that are run by another test of this folder. */
const runElsewhere = ["python"];

/** Beginning of the lines of a crontab: maybe the PATH, and the times of a command. */
const crontab = /^(?:PATH=.*\n)?[\d*]+ [\d*]+ \S+ \S+ \S+ /;

async function followBlock(block: Block, page: PageRun, plan: Plan): Promise<void> {
  const { language, text } = block;
  if (runElsewhere.includes(language)) return;
  if (language === "sh") {
    for (const line of commandsOf(block)) await followCommand(block.page, line, page, plan);
  } else if (language === "toml") {
    const name = /^# (\S*chatd\.toml)/.exec(text)?.[1] ?? "chatd.toml";
    writeFileSync(resolve(page.folder, page.replaced(name)), page.replaced(text));
    await typed(page, `chatd admin config check --offline --config ${name}`);
  } else if (language === "yaml") {
    writeFileSync(join(page.folder, "org.yaml"), page.replaced(text));
  } else if (reasonFor(block.page, text)) {
    return;
  } else if (language === "" && text.startsWith('{"time"')) {
    if (!page.server()) await page.type("chatd serve");
    const server = page.server();
    if (server) await expectLogged(text, server);
  } else if (language === "" && crontab.test(text)) {
    // Cron finds no command in /usr/local/bin by itself.
    expect(text).toMatch(/^PATH=\S*\/usr\/local\/bin:/);
    await typed(page, text.replace(crontab, "").replaceAll("\\%", "%"));
  } else {
    throw new Error(`${block.page}: no test reads this block, and test/documents/not-run.ts has no
reason for it:\n${text}`);
  }
}

async function followCommand(path: string, line: string, page: PageRun, plan: Plan) {
  if (reasonFor(path, line)) return;
  if (line.startsWith("CHATD_DATABASE=") && postgres === undefined) return;
  const ofLine = <Value>(table: Readonly<Record<string, Value>> = {}) =>
    Object.entries(table).find(([begin]) => line.startsWith(begin))?.[1];
  await typed(page, line, ofLine(plan.ends), ofLine(plan.shows));
}

/** Types a line, which has to end and to show what is expected of it. */
async function typed(page: PageRun, line: string, ends = 0, shows = /(?:)/) {
  const { code, stdout, stderr } = await page.type(line);
  if (code !== ends)
    throw new Error(`"${line}" ended with ${code}, not with ${ends}:\n${stderr}${stdout}`);
  if (!shows.test(stdout))
    throw new Error(`"${line}" shows nothing like ${shows}:\n${stdout}${stderr}`);
}

test.each(pagesWithBlocks.filter((page) => blocksOf(page).length > 0))(
  "%s: each command and snippet works as it stands",
  async (path) => {
    const plan = plans[path] ?? {};
    const page = beginPage(seed, plan.replacements ?? []);
    plan.prepare?.(page.folder);
    for (const line of plan.before ?? []) await typed(page, line);
    try {
      for (const block of blocksOf(path)) await followBlock(block, page, plan);
    } finally {
      await page.end();
    }
    expect((plan.replacements ?? []).filter((replacement) => !page.used.has(replacement))).toEqual(
      [],
    );
  },
  pageMilliseconds,
);

test("each command that is not run is on its page, and a test shows what it does", () => {
  const wrong = notRun.flatMap(({ page, begins, shownBy }) => {
    const texts = blocksOf(page).flatMap((block) => [block.text, ...commandsOf(block)]);
    const gone = begins.filter((begin) => !texts.some((text) => text.startsWith(begin)));
    if (shownBy === "no test") return gone;
    const [file, name] = shownBy;
    const isShown = readFileSync(join(root, file), "utf8").includes(name);
    return [...gone, ...(isShown ? [] : [`${file}: ${name}`])];
  });
  expect(wrong).toEqual([]);
});

test("each plan is for a page, and names commands that are on it", () => {
  const wrong = Object.entries(plans).flatMap(([page, { ends = {}, shows = {} }]) => {
    const lines = pagesWithBlocks.includes(page) ? blocksOf(page).flatMap(commandsOf) : [];
    const begins = [...Object.keys(ends), ...Object.keys(shows)];
    const gone = begins.filter((begin) => !lines.some((line) => line.startsWith(begin)));
    return lines.length > 0 ? gone : [page, ...gone];
  });
  expect(wrong).toEqual([]);
});
