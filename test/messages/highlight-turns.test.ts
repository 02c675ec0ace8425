import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Person as Account, Context } from "../../src/core/context";
import { highlightHtml, highlightInTurns } from "../../src/messages/search/highlight";
import { readSearch } from "../../src/messages/search/query";
import { readForAnswer, writeMessages } from "../../src/messages/written-messages";
import { findUser } from "../../src/people/users/queries";
import { turnsDuring } from "../support/turns";
import { makeWorld, type World } from "../support/world";

const searched = readSearch("needle beta");
/** Characters of HTML whose words may be found in one turn of the event loop. */
const perTurn = 8_192;
const sizeBytesMax = 8_000_000;
/** One piece of an answer holds so many of them. */
const messageCount = 12;

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const nothingLeft = () => Promise.reject(new Error("one piece is enough for these messages"));

async function contextOf(id: number): Promise<Context<Account>> {
  const { operator } = world;
  const user = await findUser(operator.reader, operator.realm.id, id);
  if (!user) throw new Error("there is no such person");
  return { ...operator, actor: { kind: "user", user, apiKeyId: 0 } };
}

test("Long HTML is highlighted with turns for other work, as it would be at once", async () => {
  const html = `<p>${'needle <strong>beta</strong> "x" '.repeat(2_000)}</p>`;
  let marked = "";
  const turns = await turnsDuring(async () => {
    marked = await highlightInTurns(html, searched);
  });
  expect(marked).toBe(highlightHtml(html, searched));
  expect(turns).toBeGreaterThanOrEqual(Math.floor(html.length / perTurn));
});

test("Of very many matches in a text, the first 500 are marked", () => {
  const html = `<p>${"needle beta ".repeat(800)}</p>`;
  const marked: string = JSON.parse(highlightHtml(html, searched));
  expect(marked.match(/class="highlight"/g)?.length).toBe(500);
  expect(marked.replaceAll(/<\/?span[^>]*>/g, "")).toBe(html);
  expect(marked.slice(marked.lastIndexOf("</span>")).length).toBeGreaterThan(5_000);
});

test("Messages full of the words of a search are written with turns for other work", async () => {
  const { alice } = world;
  const ids: number[] = [];
  for (let index = 0; index < messageCount; index++)
    ids.push(await alice.say("general", "words", `${index} ${"needle beta ".repeat(330)}`));
  const at = await readForAnswer(await contextOf(alice.id), {}, ids, {
    searched,
    expect: () => undefined,
  });
  let written = "";
  const turns = await turnsDuring(async () => {
    written = (await writeMessages(at, sizeBytesMax, nothingLeft)).pieces.join("");
  });
  const messages: { id: number; match_content: string }[] = JSON.parse(`[${written}]`);
  expect(messages.map(({ id }) => id)).toEqual(ids);
  const [first] = messages;
  expect(first?.match_content.match(/class="highlight"/g)?.length).toBe(500);
  expect(turns).toBeGreaterThanOrEqual(
    Math.floor((messageCount * 330 * "needle beta ".length) / perTurn) - 2,
  );
});
