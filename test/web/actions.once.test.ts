import { describe, expect, test } from "bun:test";
import { brotliCompressSync } from "node:zlib";
import names from "../../src/emoji/names.json";
import { packEmoji, unpackEmoji } from "../../src/web/model/emoji-packing";
import { emojiInOrder, searchEmoji } from "../../src/web/model/emoji-search";
import { quotationOf } from "../../src/web/model/quotation";

const all = emojiInOrder(names);
const isUsual = ({ code }: { code: string }) => ["1f44d", "1f680"].includes(code);
const firstFor = (typed: string) =>
  searchEmoji(all, typed, isUsual)
    .slice(0, 3)
    .map(({ names: [name] }) => name);

describe("emoji are found", () => {
  test("by any of their names, equal ones first, then those that begin so", () => {
    expect(firstFor("tada")[0]).toBe("tada");
    expect(firstFor("thumbs up")[0]).toBe("+1");
    expect(firstFor(":heart:")[0]).toBe("heart");
    expect(firstFor("smil")[0]).toStartWith("smil");
    expect(firstFor("party_popper")).toEqual(["tada"]);
    expect(firstFor("no such thing")).toEqual([]);
  });

  test("those that are taken often before others that are called so too", () => {
    expect(firstFor("thumb").slice(0, 2)).toEqual([
      "+1",
      "hand_with_index_finger_and_thumb_crossed",
    ]);
    expect(firstFor("rock").slice(0, 2)).toEqual(["rock", "rocket"]);
    expect(firstFor("ship")[0]).toBe("ship");
  });

  test("with faces first and flags last where nothing was typed", () => {
    expect(searchEmoji(all, " ", isUsual)).toBe(all);
    expect(all).toHaveLength(Object.keys(names).length);
    expect(all[0]?.code).toStartWith("1f60");
    expect(all.at(-1)?.names[0]).toStartWith("flag");
  });

  test("also those of the organization", () => {
    const own = { code: "7", names: ["party_parrot"], isOwn: true };
    expect(searchEmoji([own, ...all], "parrot", isUsual)).toContain(own);
  });
});

describe("a quotation", () => {
  const quoted = { senderName: "Bob", senderId: 9, link: "https://x/#narrow/near/1", said: "said" };

  test("names who wrote it without telling them, and leads to it", () => {
    expect(quotationOf({ ...quoted, text: "Soup?" })).toBe(
      "@_**Bob|9** [said](https://x/#narrow/near/1):\n```quote\nSoup?\n```\n\n",
    );
  });

  test("has a longer fence than each in its text", () => {
    const text = "```quote\nan older one\n```\nand\n````\ncode\n````";
    expect(quotationOf({ ...quoted, text })).toContain(`\`\`\`\`\`quote\n${text}\n\`\`\`\`\`\n`);
    expect(quotationOf({ ...quoted, text: "a ````` b" })).toContain("```quote\n");
  });
});

test("names of emoji are unpacked as they were, and are small in between", () => {
  expect(unpackEmoji(packEmoji(names))).toEqual(names);
  const { steps, names: ofAll } = packEmoji(names);
  expect(brotliCompressSync(`${steps}\n${ofAll}`).length).toBeLessThan(20_000);
});
