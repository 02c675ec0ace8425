import { realmEmojiType, unicodeEmojiType } from "../../../emoji/emoji-types";
import { nameFromSlack } from "../../../emoji/slack-names";
import { emojiCode, emojiNames } from "../../../emoji/table";
import { cleanEmojiName } from "../../../management/realm-emoji/service";
import { givenRecord, givenText } from "../json";
import type { SkipReport } from "../report";
import type { StagedRow, StageWriter } from "../stage-writer";
import type { SlackPictures } from "./pictures";

/** An emoji of the organization's own that was imported. */
interface OwnEmoji {
  id: number;
  name: string;
  fileName: string;
}

/** Meanings of the names of emoji in a workspace of Slack. */
export class SlackEmoji {
  constructor(
    private readonly aliases: ReadonlyMap<string, string>,
    private readonly own: ReadonlyMap<string, OwnEmoji>,
  ) {}

  /** The name here of an emoji in a text; the name in the text if the emoji is not known here. */
  nameOf(name: string): string {
    return this.ownNamed(name)?.name ?? nameFromSlack(this.original(name)) ?? name;
  }

  /** Columns of a reaction with an emoji; undefined for an emoji that is not known here. */
  reactionWith(name: string): StagedRow | undefined {
    const own = this.ownNamed(name);
    if (own)
      return { emoji_name: own.name, emoji_code: String(own.id), reaction_type: realmEmojiType };
    const code = emojiCode(nameFromSlack(this.original(name)) ?? "");
    const [emoji_name] = emojiNames(code ?? "");
    return code === undefined || emoji_name === undefined
      ? undefined
      : { emoji_name, emoji_code: code, reaction_type: unicodeEmojiType };
  }

  /** Name of the picture's file of an own emoji, by the name that texts have. */
  fileNamed = (name: string): string | undefined =>
    [...this.own.values()].find((one) => one.name === name)?.fileName;

  private ownNamed = (name: string) => this.own.get(this.original(name));

  /** The name of the emoji that an alias stands for, without its skin tone. */
  private original(name: string): string {
    let plain = name.split("::")[0] ?? name;
    // An alias may stand for another alias. The limit ends aliases that stand for each other.
    for (let step = 0; step < aliasStepsMax && this.aliases.has(plain); step++)
      plain = this.aliases.get(plain) ?? plain;
    return plain;
  }
}

const aliasStepsMax = 5;

/**
 * Imports the workspace's own emoji with their pictures. Each emoji takes an id, even if its
 * picture cannot be fetched, so that a repeated import gives equal ids.
 */
export async function takeEmoji(
  given: unknown,
  {
    writer,
    report,
    pictures,
  }: { writer: StageWriter; report: SkipReport; pictures: SlackPictures },
): Promise<SlackEmoji> {
  const aliases = new Map<string, string>();
  const own = new Map<string, OwnEmoji>();
  const taken = new Set<string>();
  for (const [slackName, value] of Object.entries(givenRecord(given))) {
    const address = givenText(value);
    const [, alias] = /^alias:(.+)$/.exec(address) ?? [];
    if (alias !== undefined) aliases.set(slackName, alias);
    if (alias !== undefined || address === "") continue;
    const id = writer.nextId("realm_emoji");
    const name = nameHere(slackName);
    const isFree = name !== undefined && !taken.has(name);
    const picture = isFree ? await pictures.emojiOf(slackName, address) : undefined;
    if (!isFree) report.add("emoji", slackName, "have no name, or one that is taken");
    if (!isFree || !picture) continue;
    taken.add(name);
    own.set(slackName, { id, name, fileName: String(picture["file_name"]) });
    await writer.add("realm_emoji", { id, name, active_name: name, author_id: null, ...picture });
  }
  return new SlackEmoji(aliases, own);
}

/**
 * The name of an emoji of Slack, without the characters that names may not have here; undefined if
 * nothing is left of it.
 */
function nameHere(name: string): string | undefined {
  const cleaned = name
    .toLowerCase()
    .replace(/[^0-9a-z._-]+/g, "_")
    .replace(/[._-]+$/, "");
  return cleaned === "" ? undefined : cleanEmojiName(cleaned.slice(0, 100));
}
