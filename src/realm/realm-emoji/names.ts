import { FileAnswer } from "../../core/answer";
import { daySeconds } from "../../core/clock";
import { record } from "../../core/params";
import { codeToNames } from "../../emoji/table";

export const GetEmojiNames = record({});

let answer: FileAnswer | undefined;

/**
 * The names of the built-in emoji, by their codes, as `server_emoji_data_url` serves them. Made on
 * first request.
 */
export async function getEmojiNames(): Promise<FileAnswer> {
  answer ??= makeAnswer();
  return answer;
}

function makeAnswer(): FileAnswer {
  const text = JSON.stringify({ code_to_names: codeToNames() });
  return new FileAnswer(new Blob([text]), {
    "content-type": "application/json",
    "cache-control": `public, max-age=${daySeconds}`,
    etag: `"${new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 32)}"`,
  });
}
