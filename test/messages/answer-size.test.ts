import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { write } from "../../src/core/write";
import type { Answer } from "../support/client";
import { countBytesRead } from "../support/databases/bytes-read";
import { refusal } from "../support/listening";
import { makeWorld, type World } from "../support/world";

/** Answers end here; there are many times as much. */
const sizeBytesMax = 65_536;
const count = 60;
/**
 * Highest number of bytes read from the database for an answer: all of what it shows, in both
 * forms, and what it takes to find it.
 */
const readBytesMax = 4 * sizeBytesMax;

const bytesRead = countBytesRead();
let world: World;
/**
 * Messages of different lengths, some with votes, changes and reactions; each holds the word
 * "leek".
 */
const ids: number[] = [];

beforeAll(async () => {
  world = await makeWorld({ answer_size_bytes_max: String(sizeBytesMax) });
  const { alice, bob } = world;
  for (let n = 0; n < count; n++) {
    const long = `leek ${"soup ".repeat((n * 397) % 1_700)}`;
    if (n % 10 === 3) {
      const poll = await alice.say("general", `t${n % 2}`, "/poll leek?\nyes\nno");
      for (let vote = 0; vote < 2; vote++) await ask(bob, poll, n * 10 + vote);
      ids.push(poll);
      continue;
    }
    ids.push(await alice.say("general", `t${n % 2}`, long));
    if (n % 10 === 5) await alice.patch(`/messages/${ids.at(-1)}`, { content: `${long} changed` });
    if (n % 10 === 7) await bob.post(`/messages/${ids.at(-1)}/reactions`, { emoji_name: "tada" });
  }
});
afterAll(() => world?.close());

const ask = (person: World["bob"], poll: number, n: number) =>
  person.post("/submessage", {
    message_id: poll,
    msg_type: "widget",
    content: { type: "new_option", idx: n, option: `option ${n} ${"x".repeat(9_000)}` },
  });

const idsIn = ({ body }: Answer): number[] => body.messages.map(({ id }: { id: number }) => id);
const sizeOf = ({ body }: Answer) => Buffer.byteLength(JSON.stringify(body));

const narrows: Record<string, { operator: string; operand: string }[]> = {
  everything: [],
  "a topic": [
    { operator: "channel", operand: "general" },
    { operator: "topic", operand: "t1" },
  ],
  "what has a word": [{ operator: "search", operand: "leek" }],
  "what has a word and is of a topic": [
    { operator: "topic", operand: "t0" },
    { operator: "search", operand: "leek" },
  ],
};

describe.each(Object.entries(narrows))("Who reads %s of more than an answer holds", (_, terms) => {
  const narrow = JSON.stringify(terms);
  const wanted = () =>
    ids.filter((_id, n) =>
      terms.every(({ operand }) => !/^t\d$/.test(operand) || operand === `t${n % 2}`),
    );
  const page = (parameters: object) => world.carol.get("/messages", { narrow, ...parameters });

  test("gets each message once from the newest to the oldest, in answers that are no longer than allowed", async () => {
    const seen: number[] = [];
    let answer = await page({ anchor: "newest", num_before: 5_000 });
    for (let pages = 1; ; pages++) {
      expect(sizeOf(answer)).toBeLessThan(sizeBytesMax + 1_000);
      seen.unshift(...idsIn(answer));
      if (answer.body.found_oldest) break;
      expect(pages).toBeLessThan(count);
      answer = await page({ anchor: seen[0], num_before: 5_000, include_anchor: false });
    }
    expect(seen).toEqual(wanted());
    expect(answer.body.history_limited).toBe(false);
  });

  test("gets each once from the oldest to the newest, with the last message as the next anchor", async () => {
    const seen: number[] = [];
    for (let [anchor, pages] = [0, 0]; ; pages++) {
      const answer = await page({ anchor, num_after: 5_000 });
      expect(sizeOf(answer)).toBeLessThan(sizeBytesMax + 1_000);
      expect(answer.body.found_anchor).toBe(anchor !== 0);
      seen.push(...idsIn(answer).slice(anchor === 0 ? 0 : 1));
      anchor = seen.at(-1) ?? 0;
      if (answer.body.found_newest) break;
      expect(pages).toBeLessThan(count);
    }
    expect(seen).toEqual(wanted());
  });

  test("gets what is nearest to an anchor, without a hole, and goes on from either end", async () => {
    const all = wanted();
    for (const at of [0, 1, Math.floor(all.length / 2), all.length - 1]) {
      const anchor = all[at] ?? 0;
      const first = await page({ anchor, num_before: 2_500, num_after: 2_500 });
      const seen = idsIn(first);
      expect(first.body.found_anchor).toBe(true);
      expect(seen).toContain(anchor);
      const begin = all.indexOf(seen[0] ?? 0);
      expect(seen).toEqual(all.slice(begin, begin + seen.length));
      expect([first.body.found_oldest, first.body.found_newest]).toEqual([
        begin === 0,
        begin + seen.length === all.length,
      ]);
      while (seen[0] !== all[0]) {
        seen.unshift(
          ...idsIn(await page({ anchor: seen[0], num_before: 5_000, include_anchor: false })),
        );
      }
      while (seen.at(-1) !== all.at(-1)) {
        seen.push(
          ...idsIn(await page({ anchor: seen.at(-1), num_after: 5_000, include_anchor: false })),
        );
      }
      expect(seen).toEqual(all);
    }
  });

  test("costs no more than an answer holds", async () => {
    await world.restart();
    await page({ anchor: "newest", num_before: 1 });
    expect(await bytesRead(() => page({ anchor: "newest", num_before: 5_000 }))).toBeLessThan(
      readBytesMax,
    );
    await world.restart();
    await page({ anchor: "newest", num_before: 1 });
    const around = () => page({ anchor: ids[count / 2], num_before: 2_500, num_after: 2_500 });
    expect(await bytesRead(around)).toBeLessThan(readBytesMax);
  });
});

describe("Messages named one by one that are too long together", () => {
  test("are refused by the parameter's name, with how many would fit, and read when there are fewer", async () => {
    const { carol } = world;
    const refused = await carol.get("/messages", { message_ids: ids });
    expect(refusal(refused)).toBe("400 REQUEST_TOO_LARGE");
    expect(refused.body).toMatchObject({
      var_name: "message_ids",
      msg: expect.stringContaining("ids at a time"),
    });
    const fitting: number = refused.body.count_max;
    expect(fitting).toBeGreaterThan(3);
    const answer = await carol.get("/messages", { message_ids: ids.slice(0, fitting) });
    expect(idsIn(answer)).toEqual(ids.slice(0, fitting));
    expect(sizeOf(answer)).toBeLessThan(sizeBytesMax + 1_000);
  });

  test("cost no more than an answer that is refused holds", async () => {
    await world.restart();
    const ask = () => world.carol.get("/messages", { message_ids: ids });
    expect(await bytesRead(ask)).toBeLessThan(readBytesMax);
  });

  test("are refused like that where a client asks whether they match a narrow", async () => {
    const narrow = JSON.stringify(narrows["what has a word"]);
    const match = (some: number[]) =>
      world.carol.get("/messages/matches_narrow", { msg_ids: some, narrow });
    const refused = await match(ids);
    expect(refusal(refused)).toBe("400 REQUEST_TOO_LARGE");
    expect(refused.body.var_name).toBe("msg_ids");
    const fitting = ids.slice(0, refused.body.count_max);
    expect(Object.keys((await match(fitting)).body.messages).map(Number)).toEqual(fitting);
  });
});

describe("A message that is longer than an answer", () => {
  test("is shown all the same, and so is the next, so that a client gets on", async () => {
    const { alice, bob, carol } = world;
    const [before, poll, after] = [
      await alice.say("general", "polls", "before"),
      await alice.say("general", "polls", "/poll leek?\nyes\nno"),
      await alice.say("general", "polls", "after"),
    ];
    for (let n = 0; n < 12; n++) expect((await ask(bob, poll, n)).status).toBe(200);
    const around = await carol.get("/messages", { anchor: poll, num_before: 50, num_after: 50 });
    expect(idsIn(around)).toEqual([before, poll, after]);
    expect([around.body.found_oldest, around.body.found_newest]).toEqual([false, true]);
    const on = await carol.get("/messages", { anchor: poll, num_before: 0, num_after: 50 });
    expect(idsIn(on)).toEqual([poll, after]);
  });
});

describe("A message that was changed a hundred times", () => {
  const long = (n: number) => `${n} ${"leek soup ".repeat(990)}`;

  test("shows its newest changes, and its history as many as an answer holds: no more of them is read", async () => {
    const { alice, carol, operator, realm } = world;
    const id = await alice.say("general", "changes", long(118));
    const rows = Array.from({ length: 118 }, (_, n) => ({
      realmId: realm.id,
      messageId: id,
      userId: alice.id,
      editedAt: 1,
      prevContent: long(n).trim(),
      prevRenderedContent: `<p>${long(n).trim()}</p>`,
    }));
    await write(operator, ({ db, t }) => db.insert(t.messageEdits).values(rows));
    for (const n of [119, 120]) await alice.patch(`/messages/${id}`, { content: long(n) });
    await world.restart();
    await carol.get("/users/me");
    const shown = () => carol.get("/messages", { anchor: id, num_before: 0, num_after: 0 });
    expect(await bytesRead(shown)).toBeLessThan(readBytesMax);
    const { edit_history: changes } = (await shown()).body.messages[0];
    expect(changes).toHaveLength(100);
    expect(changes[0].prev_content).toBe(long(119).trim());
    // Zulip's mobile app takes a change without the field for none.
    expect(changes.at(-1)).toMatchObject({ prev_content: "", prev_rendered_content: "" });
    let answer: Answer | undefined;
    const read = await bytesRead(async () => {
      answer = await carol.get(`/messages/${id}/history`);
    });
    const versions = answer?.body.message_history;
    expect(versions.at(-1).content).toBe(long(120).trim());
    expect(versions.length).toBeLessThan(120);
    expect(read).toBeLessThan(1_500_000);
  });
});
