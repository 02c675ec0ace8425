import { describe, expect, test } from "bun:test";
import emojis from "emoji-datasource-google/emoji.json";
import { nameFromSlack } from "../../src/emoji/slack-names";
import { codeToNames, emojiCode, emojiNames, extraEmojiName } from "../../src/emoji/table";
import { renderMarkdown } from "../../src/markdown/render";
import { protocolEmoji, protocolEmoticons } from "../support/api/protocol-emoji";
import { makeWorld } from "../support/world";

describe("A person who reacts with a name alone", () => {
  test.each([
    ["smile", "1f642"],
    ["heart", "2764"],
    ["+1", "1f44d"],
    ["thumbs_up", "1f44d"],
    ["-1", "1f44e"],
    ["octopus", "1f419"],
    ["tada", "1f389"],
    ["hamburger", "1f354"],
    ["car", "1f697"],
    ["wave", "1f44b"],
    ["grinning", "1f600"],
    ["check", "2705"],
    ["cross_mark", "274c"],
    ["100", "1f4af"],
    ["working_on_it", "1f6e0"],
    ["flag_germany", "1f1e9-1f1ea"],
    ["family_man_woman_girl", "1f468-200d-1f469-200d-1f467"],
    ["folded_hands", "1f64f"],
    ["right", "27a1"],
    ["joker", "1f0cf"],
    ["flag_åland_islands", "1f1e6-1f1fd"],
    ["mouse", "1f401"],
    ["moon", "1f319"],
    ["ticket", "1f39f"],
  ])("gets by %s the picture %s, as the protocol's clients show it", (name, code) => {
    expect(emojiCode(name)).toBe(code);
    expect(emojiNames(code)).toContain(name);
  });

  test.each(["no_such_emoji", "", ":smile:", "SMILE", "constructor", "__proto__", extraEmojiName])(
    "gets no Unicode emoji by %p",
    (name) => expect(emojiCode(name)).toBeUndefined(),
  );
});

describe("A person who reacts with a name that only this server had", () => {
  test.each([
    ["pray", "1f64f"],
    ["black_joker", "1f0cf"],
    ["arrow_right", "27a1"],
    ["fearful", "1f628"],
    ["clock1", "1f550"],
    ["face_with_bags_under_eyes", "1fae9"],
  ])("still gets by %s the picture %s", (name, code) => {
    expect(emojiCode(name)).toBe(code);
    expect(emojiNames(code)).toContain(name);
  });
});

describe("A text from Slack", () => {
  test("means by each name the picture that it has there", () => {
    const pairs = emojis.flatMap(({ unified, short_names }) =>
      short_names.map((name) => [name, unified.toLowerCase().replaceAll("-fe0f", "")] as const),
    );
    const codeHere = (name: string) => emojiCode(nameFromSlack(name) ?? "");
    expect(pairs.filter(([name, code]) => codeHere(name) !== code)).toEqual([]);
    expect(pairs.length).toBeGreaterThan(1_900);
  });

  test.each([
    ["smile", "big_smile"],
    ["mouse", "dormouse"],
    ["x", "cross_mark"],
    ["tada", "tada"],
    ["pray", "pray"],
    ["flag-de", "flag_de"],
    ["no-such", undefined],
    ["constructor", undefined],
  ])("has for %s the name %s here", (name, here) => expect(nameFromSlack(name)).toBe(here));
});

describe("A client that asks for the emoji data", () => {
  test("finds all that clients know, in their order, before what only this server knows", () => {
    const named = codeToNames();
    const differs = protocolEmoji.filter(
      ({ code, names }) => !Bun.deepEquals(named[code]?.slice(0, names.length), names),
    );
    expect(differs).toEqual([]);
    expect(protocolEmoji).toHaveLength(1_875);
  });

  test("finds the canonical name first", () => {
    expect(codeToNames()["1f44d"]?.slice(0, 2)).toEqual(["+1", "thumbs_up"]);
    expect(codeToNames()["1f642"]?.[0]).toBe("smile");
    expect(codeToNames()["1f1e9-1f1ea"]?.[0]).toBe("flag_germany");
  });

  test("finds every emoji under at least one name, and every name under one code", () => {
    const named = codeToNames();
    const codes = emojis.map((emoji) => emoji.unified.toLowerCase().replaceAll("-fe0f", ""));
    expect(codes.filter((code) => named[code] === undefined)).toEqual([]);
    const names = Object.values(named).flat();
    expect(new Set(names).size).toBe(names.length);
  });

  test("finds codes of dash-separated hexadecimal without a variation selector", () => {
    const odd = Object.keys(codeToNames()).filter(
      (code) => !/^[0-9a-f]{4,6}(-[0-9a-f]{4,6})*$/.test(code),
    );
    expect(odd).toEqual([]);
    expect(Object.keys(codeToNames()).filter((code) => code.includes("fe0f"))).toEqual([]);
  });

  test("cannot change the table by changing what it was given", () => {
    emojiNames("1f44d").push("mine");
    expect(emojiNames("1f44d")).not.toContain("mine");
  });
});

test.each(["zzzz", "", "constructor", "__proto__"])(
  "Nobody gets names for %p, the code of no emoji",
  (code) => expect(emojiNames(code)).toEqual([]),
);

describe("A person whose emoticons become emoji writes", () => {
  const shown = (name: string, code: string, label = name) =>
    `<span aria-label="${label}" class="emoji emoji-${code}" role="img" title="${label}">:${name}:</span>`;
  const [smile, heart] = [shown("smile", "1f642"), shown("heart", "2764")];
  const lineWith = (source: string) =>
    renderMarkdown(source, { translatesEmoticons: true }).html.replace(/^<p>|<\/p>$/g, "");
  const plainLine = (source: string) => renderMarkdown(source).html.replace(/^<p>|<\/p>$/g, "");

  test("each emoticon, alone and between words", () => {
    for (const [emoticon, name] of protocolEmoticons) {
      const emoji = shown(name, emojiCode(name) ?? "", name.replaceAll("_", " "));
      expect([emoticon, lineWith(emoticon)]).toEqual([emoticon, emoji]);
      expect([emoticon, lineWith(`so ${emoticon} it is`)]).toEqual([emoticon, `so ${emoji} it is`]);
      const plain = emoticon.replace("<", "&lt;");
      expect([emoticon, plainLine(`so ${emoticon} it is`)]).toEqual([
        emoticon,
        `so ${plain} it is`,
      ]);
      expect([emoticon, lineWith(`x${emoticon}`)]).toEqual([emoticon, `x${plain}`]);
      expect([emoticon, lineWith(`${emoticon}x`)]).toEqual([emoticon, `${plain}x`]);
    }
    expect(protocolEmoticons).toHaveLength(12);
  });

  test.each([
    ["haha ;)", `haha ${shown("wink", "1f609")}`],
    ['":)", he said (well :)! [<3]', `"${smile}", he said (well ${smile}! [${heart}]`],
    ["so :)) (:)", `so ${smile}) ${smile})`],
    [
      ":)\n:) **:)** *so <3*",
      `${smile}<br>\n${smile} <strong>${smile}</strong> <em>so ${heart}</em>`,
    ],
    ["**so**:) :)**so**", "<strong>so</strong>:) :)<strong>so</strong>"],
    ["😀:) 😀 :)", `${shown("grinning", "1f600")}:) ${shown("grinning", "1f600")} ${smile}`],
    ["`:)` :smile: :):smile:", `<code>:)</code> ${smile} :)${smile}`],
    [
      "[a :) b](https://e.example) :/",
      `<a href="https://e.example">a :) b</a> ${shown("confused", "1f615")}`,
    ],
    [
      "https://e.example/:/ 10:00 3:D",
      '<a href="https://e.example/:/">https://e.example/:/</a> 10:00 3:D',
    ],
    [": ) :-) <30", ": ) :-) &lt;30"],
  ])("%j", (source, html) => expect(lineWith(source)).toBe(html));
});

test("Emoticons become emoji in what somebody writes who has chosen that, and the source keeps them", async () => {
  const world = await makeWorld();
  const { alice, bob } = world;
  const smile =
    '<p><span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span></p>';
  const htmlOf = async (id: number) => (await bob.get(`/messages/${id}`)).body.message.content;
  const before = await alice.say("general", "t", ":)");
  expect((await alice.patch("/settings", { translate_emoticons: true })).status).toBe(200);
  const queue = await bob.register({ event_types: ["message"], apply_markdown: true });
  const sent = await alice.say("general", "t", ":)");
  const others = await bob.say("general", "t", ":)");
  expect((await queue.events()).map(({ message }) => message.content)).toEqual([
    smile,
    "<p>:)</p>",
  ]);
  expect([await htmlOf(before), await htmlOf(sent), await htmlOf(others)]).toEqual([
    "<p>:)</p>",
    smile,
    "<p>:)</p>",
  ]);
  expect((await bob.get(`/messages/${sent}`, { apply_markdown: false })).body.message.content).toBe(
    ":)",
  );
  expect((await alice.post("/messages/render", { content: ":)" })).body.rendered).toBe(smile);
  expect((await bob.post("/messages/render", { content: ":)" })).body.rendered).toBe("<p>:)</p>");
  expect((await alice.patch(`/messages/${sent}`, { content: "haha ;)" })).status).toBe(200);
  expect(await htmlOf(sent)).toContain('title="wink">:wink:</span>');
  await alice.patch("/settings", { translate_emoticons: false });
  expect((await alice.patch(`/messages/${sent}`, { content: ":)" })).status).toBe(200);
  expect(await htmlOf(sent)).toBe("<p>:)</p>");
  await world.close();
});
