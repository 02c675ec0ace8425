import { avatarNameLength, makeAvatarFiles } from "../../../people/avatars/files";
import { avatarSources } from "../../../people/users/avatar";
import { makeEmojiImage } from "../../../realm/realm-emoji/image";
import { type Given, givenText } from "../json";
import type { SkipReport } from "../report";
import type { StagedRow, StageWriter } from "../stage-writer";
import { type Fetching, SlackServer } from "./slack-server";

const pictureBytesMax = 10 * 1_048_576;
/** Lane in which jobs for pictures of the import wait. */
const importer = "import";

interface Source extends Fetching {
  writer: StageWriter;
  report: SkipReport;
  /** Name of the files of a picture. It cannot be guessed. */
  nameOf(picture: string): string;
}

/**
 * Pictures of people and emoji. An export contains only their addresses at Slack, which work
 * without a token. Each picture is encoded again, so that no other data of its file is kept.
 */
export class SlackPictures {
  private readonly slack: SlackServer;

  constructor(private readonly source: Source) {
    this.slack = new SlackServer(source);
  }

  /** Columns with a person's avatar; empty for a picture that Slack has generated. */
  async avatarOf(key: string, profile: Given): Promise<StagedRow> {
    const address = ["image_512", "image_original", "image_192"]
      .map((name) => givenText(profile[name]))
      .find((one) => one !== "");
    if (address === undefined || profile["is_custom_image"] !== true) return {};
    const name = this.source.nameOf(`avatar ${key}`).slice(0, avatarNameLength);
    const files = await this.make("avatars", key, address, (picture) =>
      makeAvatarFiles(importer, picture),
    );
    if (!files) return {};
    for (const [variant, bytes] of Object.entries(files))
      await this.source.writer.addFile(`${name}${variant}`, bytes);
    return { avatar_file: name, avatar_source: avatarSources.uploaded };
  }

  /** Columns with the picture of an emoji; undefined where it cannot be fetched or decoded. */
  async emojiOf(name: string, address: string): Promise<StagedRow | undefined> {
    const token = this.source.nameOf(`emoji ${name}`).slice(0, 40);
    const image = await this.make("emoji", name, address, (picture) =>
      makeEmojiImage(importer, picture),
    );
    if (!image) return undefined;
    await this.source.writer.addFile(token, image.bytes);
    if (image.still) await this.source.writer.addFile(`${token}-still`, image.still);
    return { file_name: `${token}.${image.extension}`, is_animated: image.still !== undefined };
  }

  private async make<Made>(
    what: string,
    which: string,
    address: string,
    decode: (picture: Uint8Array) => Promise<Made>,
  ): Promise<Made | undefined> {
    const { report } = this.source;
    const picture = await this.slack.fetch(address, { responseBytesMax: pictureBytesMax });
    if (typeof picture === "string") {
      report.add(what, which, picture);
      return undefined;
    }
    return decode(picture).catch(() => {
      report.add(what, which, "are no pictures");
      return undefined;
    });
  }
}
