import type { App } from "../../../core/context";
import { outboundRequest } from "../../../core/network/outbound";
import { avatarNameLength, makeAvatarFiles } from "../../../people/avatars/files";
import { avatarSources } from "../../../people/users/avatar";
import { makeEmojiImage } from "../../../realm/realm-emoji/image";
import { type Given, givenText } from "../json";
import type { SkipReport } from "../report";
import type { StagedRow, StageWriter } from "../stage-writer";

const pictureBytesMax = 10 * 1_048_576;
/** Number of failures in a row after which no more pictures are fetched. */
const failuresInRowMax = 5;
/** Lane in which jobs for pictures of the import wait. */
const importer = "import";

interface Source {
  app: App;
  writer: StageWriter;
  report: SkipReport;
  /** Whether to fetch pictures. A preview does not. */
  isFetching: boolean;
  /** Name of the files of a picture. It cannot be guessed. */
  nameOf(picture: string): string;
}

/**
 * Pictures of people and emoji. An export contains only their addresses at Slack, which work
 * without a token. Each picture is encoded again, so that no other data of its file is kept.
 */
export class SlackPictures {
  private failuresInRow = 0;

  constructor(private readonly source: Source) {}

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
      await this.source.writer.addFile(`${name}${variant}`, once(bytes));
    return { avatar_file: name, avatar_source: avatarSources.uploaded };
  }

  /** Columns with the picture of an emoji; undefined where it cannot be fetched or decoded. */
  async emojiOf(name: string, address: string): Promise<StagedRow | undefined> {
    const token = this.source.nameOf(`emoji ${name}`).slice(0, 40);
    const image = await this.make("emoji", name, address, (picture) =>
      makeEmojiImage(importer, picture),
    );
    if (!image) return undefined;
    await this.source.writer.addFile(token, once(image.bytes));
    if (image.still) await this.source.writer.addFile(`${token}-still`, once(image.still));
    return { file_name: `${token}.${image.extension}`, is_animated: image.still !== undefined };
  }

  private async make<Made>(
    what: string,
    which: string,
    address: string,
    decode: (picture: Uint8Array) => Promise<Made>,
  ): Promise<Made | undefined> {
    const { report } = this.source;
    const picture = await this.fetch(address);
    if (typeof picture === "string") {
      report.add(what, which, picture);
      return undefined;
    }
    return decode(picture).catch(() => {
      report.add(what, which, "are no pictures");
      return undefined;
    });
  }

  /** The bytes at an address, or the reason why there are none. */
  private async fetch(address: string): Promise<Uint8Array | string> {
    const { app, writer, isFetching } = this.source;
    if (!isFetching) return "are at Slack: an import fetches them, a preview does not";
    if (this.failuresInRow >= failuresInRowMax)
      return "were not fetched, because several before them could not be fetched";
    const answer = await outboundRequest({ app, realm: { id: writer.realmId } }, address, {
      responseBytesMax: pictureBytesMax,
    });
    const isFetched = answer.is === "answered" && answer.status === 200;
    this.failuresInRow = isFetched ? 0 : this.failuresInRow + 1;
    if (isFetched) return answer.body;
    const why = answer.is === "answered" ? `the answer was ${answer.status}` : answer.reason;
    return `cannot be fetched: ${why}`;
  }
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
