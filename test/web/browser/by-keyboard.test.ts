import { expect } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { upload } from "../../support/files";
import { staticPng } from "../../support/pictures";
import { root } from "../../support/root";
import { browserTest, patienceMilliseconds, stage } from "../browser";
import {
  doByKeyboard,
  keysOfTable,
  nextAction,
  numbersOf,
  type Screen,
  screenOf,
} from "../keyboard-walk";
import { setScene } from "../scene";

/*
 * After each thing that is done by keyboard alone the focus is somewhere, and typed texts are
 * there.
 */

const on = stage();
const actionCount = 200;
const slowMilliseconds = 120_000;
let isSet = false;

/** The scene, with a picture that opens large, once for the file. */
async function setStage(): Promise<void> {
  if (isSet) return;
  isSet = true;
  const { world } = on;
  await setScene(world);
  const picture = await upload(world.bob, "dot.png", staticPng);
  await world.bob.say("engineering", "release 2.0", `[The last dot](${picture})`);
}

const sourceOf = (file: string) => Bun.file(join(root, "src/web/keys", file)).text();

/** Texts that the server has as well: they were sent, or are stored as drafts. */
async function onServer(texts: readonly string[]): Promise<readonly string[]> {
  if (texts.length === 0) return [];
  const { alice } = on.world;
  const asked = { anchor: "newest", num_before: 100, num_after: 0, apply_markdown: false };
  const [messages, drafts] = [await alice.get("/messages", asked), await alice.get("/drafts")];
  const all = JSON.stringify([messages.body, drafts.body]);
  return texts.filter((text) => all.includes(text));
}

/** Walks about by keyboard, as a seed decides; answers what has gone wrong, with what led to it. */
async function walk(page: Page, seed: number): Promise<string | undefined> {
  const keys = keysOfTable([await sourceOf("commands.ts"), await sourceOf("message-commands.ts")]);
  const from = numbersOf(seed);
  const done: string[] = [];
  const sent = new Set<string>();
  const kept: string[] = [];
  let screen = await screenOf(page, kept);
  for (let step = 1; step <= actionCount; step += 1) {
    const action = nextAction(screen, step, from, keys);
    done.push(`${step}. ${screen.view} at ${screen.focus} “${screen.name}”: ${action.name}`);
    if (action.text !== undefined && screen.focus === "box") kept.push(action.text);
    await doByKeyboard(page, action);
    screen = await screenOf(page, kept);
    const isThere = screen.missing.every((text) => sent.has(text));
    const wrong =
      focusWrongIn(screen, action.text) ?? (isThere ? undefined : await lostIn(page, kept, sent));
    if (wrong) return `seed ${seed}, ${wrong} after:\n${done.join("\n")}`;
  }
  return undefined;
}

function focusWrongIn({ focus, name, value }: Screen, typed?: string): string | undefined {
  if (focus === "nowhere") return "nothing has the focus";
  if (typed === undefined || value.includes(typed)) return undefined;
  return `“${typed}” is not in the field “${name}”, but “${value}”`;
}

/**
 * Texts that stay neither in a box nor in the browser, and that the server does not have either.
 */
async function lostIn(
  page: Page,
  kept: readonly string[],
  sent: Set<string>,
): Promise<string | undefined> {
  const since = performance.now();
  for (;;) {
    const { missing } = await screenOf(page, kept);
    const unsent = missing.filter((text) => !sent.has(text));
    for (const text of await onServer(unsent)) sent.add(text);
    const lost = unsent.filter((text) => !sent.has(text));
    if (lost.length === 0) return undefined;
    if (performance.now() - since > patienceMilliseconds) return `“${lost.join(", ")}” is lost`;
  }
}

for (const seed of [1, 50, 200])
  browserTest(
    `after each of ${actionCount} actions something has the focus, and what was typed is there: seed ${seed}`,
    async () => {
      await setStage();
      const page = await on.open(on.world.alice, "#inbox");
      await page.setViewportSize({ width: 1280, height: 600 });
      page.context().on("page", (opened) => void opened.close());
      expect(await walk(page, seed)).toBeUndefined();
    },
    slowMilliseconds,
  );
