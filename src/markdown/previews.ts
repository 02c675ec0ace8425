import type { MarkdownIt, StateCore, StateInline, Token } from "markdown-it";
import { escapeAttribute } from "./escape";
import { namesIn } from "./names";
import { linkAt } from "./text-tokens";

/**
 * Previews: uploaded pictures, videos and sounds are shown in the message. A picture on another
 * server is only linked, because otherwise that server would learn who reads it and when.
 */

/** Types of files by the end of their addresses. */
const image = /\.(?:avif|bmp|gif|jpe?g|png|webp)$/i;
const video = /\.(?:mp4|mov|webm)$/i;
const audio = /\.(?:aac|flac|mp3|wav)$/i;
const uploaded = /^\/user_uploads\/[^?#]+$/;

/** Number of files of one message that are shown; further ones are only linked. */
const previewsMax = 24;

/** Whether an address is that of a picture, a video or a sound, by its file name. */
export const isMediaName = (address: string): boolean =>
  [image, video, audio].some((kind) => kind.test(address));

/** Whether an address is that of an uploaded file which the author may read. */
const isUploaded = (env: object, address: string): boolean =>
  uploaded.test(address) && namesIn(env).isUploaded?.(address) !== false;

/** Whether an address is that of an uploaded picture, video or sound. */
export const isUploadedMedia = (env: object, address: string): boolean =>
  isMediaName(address) && isUploaded(env, address);

/**
 * Adds the token of `![a cat](/user_uploads/…/cat.png)`, which shows the picture within the text.
 */
export function pushMedia(
  state: StateInline,
  { address, label, typed }: { address: string; label: string; typed: string },
) {
  const token = state.push("media", "", 0);
  token.info = typed;
  token.content = label;
  token.markup = address;
}

/**
 * Shows linked uploaded files after the block with the link, such as a paragraph or a list. Files
 * that are linked in a spoiler are shown within the spoiler.
 */
export function usePreviews(markdown: MarkdownIt) {
  markdown.core.ruler.push("previews", addPreviews);
  const { rules } = markdown.renderer;
  rules["media"] = (tokens, index, _options, env) => {
    const { content: label = "", markup: address = "" } = tokens[index] ?? {};
    return mediaInText(escapeAttribute(address), escapeAttribute(label), pictureAt(env, address));
  };
  rules["preview"] = (tokens, index, _options, env) => {
    const { content: label = "", markup: address = "" } = tokens[index] ?? {};
    return previewOf(escapeAttribute(address), escapeAttribute(label), pictureAt(env, address));
  };
}

interface Shown {
  /** Attributes that describe the original, each followed by a space. */
  original: string;
  source: string;
}

/** A picture as it is shown: its thumbnail, if there is one, with the facts about the original. */
function pictureAt(env: object | undefined, address: string): Shown {
  const picture = env && namesIn(env).picture?.(address);
  if (!picture) return { original: "", source: escapeAttribute(address) };
  const { contentType, width, height, isAnimated, thumbnail } = picture;
  const moves = isAnimated ? 'data-animated="true" ' : "";
  const original = `${moves}data-original-content-type="${escapeAttribute(contentType)}" data-original-dimensions="${width}x${height}" `;
  return { original, source: escapeAttribute(thumbnail) };
}

/** The HTML of a file within the text. All values are escaped. */
function mediaInText(address: string, label: string, { original, source }: Shown): string {
  if (image.test(address))
    return `<img alt="${label}" class="inline-image" ${original}data-original-src="${address}" src="${source}">`;
  if (audio.test(address))
    return `<audio controls preload="metadata" src="${address}" title="${label}"></audio>`;
  return `<a href="${address}">${label || address}</a>`;
}

function previewOf(address: string, label: string, { original, source }: Shown): string {
  const title = label === "" || label === address ? "" : ` title="${label}"`;
  if (video.test(address))
    return `<div class="message_inline_image message_inline_video"><a href="${address}"${title}><video preload="metadata" src="${address}"></video></a></div>\n`;
  return `<div class="message_inline_image"><a href="${address}"${title}><img ${original}src="${source}"></a></div>\n`;
}

interface Linked {
  address: string;
  label: string;
}

/**
 * The message, or the hidden part of a spoiler, with the linked files whose previews are not added
 * yet.
 */
interface Ground {
  /** Level of the blocks after which previews are added. */
  level: number;
  waiting: Linked[];
}

function addPreviews(state: StateCore) {
  if (!state.src.includes("/user_uploads/") || namesIn(state.env).previewsImages === false) return;
  const shown = { openly: new Set<string>(), hidden: new Set<string>() };
  const message: Ground = { level: 0, waiting: [] };
  const spoilers: Ground[] = [];
  let quotes = 0;
  state.tokens = state.tokens.flatMap((token): Token[] => {
    if (token.type === "blockquote_open") quotes += 1;
    if (token.type === "blockquote_close") quotes -= 1;
    // Previews of links in a spoiler are added within it, because otherwise they would show what it
    // hides.
    if (token.type === "spoiler_content_open")
      spoilers.push({ level: token.level + 1, waiting: [] });
    if (token.type === "spoiler_content_close") spoilers.pop();
    const spoiler = spoilers.at(-1);
    const { level, waiting } = spoiler ?? message;
    if (quotes === 0 && token.children) waiting.push(...linkedFiles(token.children, state.env));
    if (token.level > level || token.nesting === 1 || token.type === "inline") return [token];
    const previews = waiting
      .splice(0)
      .filter(({ address }) => isNew(shown, address, spoiler !== undefined))
      .map((linked) => previewToken(state, linked));
    return [token, ...previews];
  });
}

interface ShownFiles {
  readonly openly: Set<string>;
  readonly hidden: Set<string>;
}

/**
 * Whether a file is to be shown here. Each file is shown once; a file that a spoiler hides is also
 * shown openly if it is linked outside.
 */
function isNew({ openly, hidden }: ShownFiles, address: string, isHidden: boolean): boolean {
  const isShown = openly.has(address) || (isHidden && hidden.has(address));
  if (isShown || openly.size + hidden.size >= previewsMax) return false;
  (isHidden ? hidden : openly).add(address);
  return true;
}

function linkedFiles(tokens: readonly Token[], env: object): Linked[] {
  return tokens.flatMap((token, index) => {
    if (token.type !== "link_open") return [];
    const address = String(token.attrGet("href"));
    const isShown = isUploaded(env, address) && (image.test(address) || video.test(address));
    return isShown ? [{ address, label: labelAt(tokens, index) }] : [];
  });
}

/** The text of a link. */
const labelAt = (tokens: readonly Token[], index: number) =>
  linkAt(tokens, index)
    .map(({ content }) => content)
    .join("");

function previewToken(state: StateCore, { address, label }: Linked): Token {
  const token = new state.Token("preview", "", 0);
  token.block = true;
  token.content = label;
  token.markup = address;
  return token;
}
