import { emojiCode, emojiNames } from "./table";

/**
 * Emoji of Slack whose short name means another picture here. Source: the short names of
 * emoji-datasource.
 */
const otherPictures: ReadonlyMap<string, string> = new Map([
  ["calendar", "1f4c6"],
  ["camping", "1f3d5"],
  ["cat", "1f431"],
  ["chart", "1f4b9"],
  ["construction", "1f6a7"],
  ["cow", "1f42e"],
  ["date", "1f4c5"],
  ["de", "1f1e9-1f1ea"],
  ["dizzy", "1f4ab"],
  ["dog", "1f436"],
  ["dollar", "1f4b5"],
  ["euro", "1f4b6"],
  ["feet", "1f43e"],
  ["football", "1f3c8"],
  ["golf", "26f3"],
  ["horse", "1f434"],
  ["hourglass", "231b"],
  ["kiss", "1f48b"],
  ["loop", "27bf"],
  ["medal", "1f396"],
  ["metro", "1f687"],
  ["moon", "1f314"],
  ["mouse", "1f42d"],
  ["newspaper", "1f4f0"],
  ["o", "2b55"],
  ["ok", "1f197"],
  ["pencil", "1f4dd"],
  ["pig", "1f437"],
  ["point_up", "261d"],
  ["post_office", "1f3e3"],
  ["rabbit", "1f430"],
  ["scooter", "1f6f4"],
  ["secret", "3299"],
  ["smile", "1f604"],
  ["sound", "1f509"],
  ["ticket", "1f3ab"],
  ["tiger", "1f42f"],
  ["traffic_light", "1f6a5"],
  ["train", "1f68b"],
  ["tram", "1f68a"],
  ["truck", "1f69a"],
  ["up", "1f199"],
  ["x", "274c"],
]);

/**
 * The name here of the picture that has this name in Slack; undefined where chatd has no such
 * picture. Both without colons.
 */
export function nameFromSlack(name: string): string | undefined {
  const code = otherPictures.get(name);
  if (code !== undefined) return emojiNames(code)[0];
  return [name, name.replaceAll("-", "_")].find((one) => emojiCode(one) !== undefined);
}
