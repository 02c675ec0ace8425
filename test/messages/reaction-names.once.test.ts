import { expect, test } from "bun:test";
import { protocolEmoji, protocolPairs } from "../support/api/protocol-emoji";
import { makeWorld } from "../support/world";

/**
 * Names are data of the server's own, which is why this runs on one engine. A message carries a
 * hundred emoji: each goes on the next message that has room and has it under no other name yet.
 */
test("each of 3,308 names of emoji is accepted with its code", async () => {
  const world = await makeWorld();
  const { alice, bob } = world;
  const perMessage = 100;
  const namesMax = Math.max(...protocolEmoji.map(({ names }) => names.length));
  const refused: string[] = [];
  const shown: Record<string, string> = {};
  for (let nth = 0; nth < namesMax; nth++) {
    const pairs = protocolEmoji.flatMap(({ code, names }) =>
      names.slice(nth, nth + 1).map((name) => [name, code]),
    );
    for (let start = 0; start < pairs.length; start += perMessage) {
      const message = await alice.say("general", "t", "one of many");
      await Promise.all(
        pairs.slice(start, start + perMessage).map(async ([name = "", code = ""]) => {
          const reaction = { emoji_name: name, emoji_code: code, reaction_type: "unicode_emoji" };
          const { status } = await bob.post(`/messages/${message}/reactions`, reaction);
          if (status !== 200) refused.push(`${name} ${code}: ${status}`);
        }),
      );
      for (const { emoji_name, emoji_code } of (await alice.get(`/messages/${message}`)).body
        .message.reactions)
        shown[emoji_name] = emoji_code;
    }
  }
  expect(refused).toEqual([]);
  expect(shown).toEqual(Object.fromEntries(protocolPairs));
  expect(protocolPairs).toHaveLength(3_308);
  await world.close();
});
