import { FileAnswer, Page } from "../core/answer";
import type { App } from "../core/context";
import { notFound } from "../core/errors";
import { html } from "../core/html";
import type { FileContent } from "../files/store";

export const noSuchPicture = () => notFound("There is no such picture.");

/** Even where a browser shows a picture as a page of its own, nothing in it runs or is loaded. */
const policy = "sandbox; default-src 'none'";
const yearSeconds = 31_536_000;

/** A picture at an address where there never is another one. */
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
 * A stored picture, for everybody who knows its address, which cannot be guessed. Refuses a key
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

/** A picture that was drawn from its address. */
export const answerDrawn = (png: Uint8Array<ArrayBuffer>, name: string): FileAnswer =>
  unchanging(new Blob([png]), "image/png", name, "public");

/** Sends a client on to where a picture is now. */
export const leadTo = (url: string): Page =>
  new Page(html`<a href="${url}">The picture</a>`, 302, [["location", url]]);
