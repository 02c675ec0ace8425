import { FileAnswer, Page } from "../core/answer";
import type { App } from "../core/context";
import { notFound } from "../core/errors";
import { html } from "../core/text/html";
import type { FileContent } from "../files/store";

export const noSuchPicture = () => notFound("There is no such picture.");

/** Nothing in a picture runs or is loaded, even where a browser shows it as a page. */
const policy = "sandbox; default-src 'none'";
const yearSeconds = 31_536_000;

/** A picture whose address never serves another one. */
const unchanging = (
  content: FileContent,
  contentType: string,
  name: string,
  who: "private" | "public",
) =>
  new FileAnswer(content, {
    "content-type": contentType,
    "content-security-policy": policy,
    "cache-control": `${who}, max-age=${yearSeconds}, immutable`,
    etag: `"${name}"`,
  });

/**
 * A stored picture, for everybody who has its address, which cannot be guessed. Refuses a key
 * without a file (404).
 */
export async function answerPicture(
  { files }: App,
  key: string,
  contentType: string,
): Promise<FileAnswer> {
  const content = await files.find(key);
  if (!content) throw noSuchPicture();
  return unchanging(content, contentType, key.split("/")[1] ?? "", "private");
}

/** A picture that was drawn from the seed in its address. */
export const answerDrawn = (png: Uint8Array<ArrayBuffer>, name: string): FileAnswer =>
  unchanging(new Blob([png]), "image/png", name, "public");

/** Redirects a client to the current address of a picture. */
export const redirectToPicture = (url: string): Page =>
  new Page(html`<a href="${url}">The picture</a>`, 302, [["location", url]]);
