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

  /** The name here of an emoji in a text; its own name if it is not known here. */
  nameOf(name: string): string {
    return this.ownNamed(name)?.name ?? nameFromSlack(this.original(name)) ?? name;
  }

  /** Columns of a reaction with an emoji; undefined for one that is not known here. */
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

  /** File names of own emoji, by the names that texts have. */
  fileNamed = (name: string): string | undefined =>
    [...this.own.values()].find((one) => one.name === name)?.fileName;

  private ownNamed = (name: string) => this.own.get(this.original(name));

  /** The name that an alias stands for, without a tone of the skin. */
  private original(name: string): string {
    let plain = name.split("::")[0] ?? name;
    // An alias of an alias leads on; the bound ends a circle.
    for (let step = 0; step < aliasStepsMax && this.aliases.has(plain); step++)
      plain = this.aliases.get(plain) ?? plain;
    return plain;
  }
}

const aliasStepsMax = 5;

/**
 * Imports the workspace's own emoji with their pictures. An id is used for each, so that a repeated
 * import gives equal ids, whichever pictures can be fetched this time.
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
    if (!isFree) report.add("emoji", slackName, "have no name of their own");
    if (!isFree || !picture) continue;
    taken.add(name);
    own.set(slackName, { id, name, fileName: String(picture["file_name"]) });
    await writer.add("realm_emoji", { id, name, active_name: name, author_id: null, ...picture });
  }
  return new SlackEmoji(aliases, own);
}

/** A name of Slack as one may be here; undefined if nothing is left of it. */
function nameHere(name: string): string | undefined {
  const cleaned = name
    .toLowerCase()
    .replace(/[^0-9a-z._-]+/g, "_")
    .replace(/[._-]+$/, "");
  return cleaned === "" ? undefined : cleanEmojiName(cleaned.slice(0, 100));
}
