import { parsePasted } from "../feed/content";
import type { MediaKind } from "../model/media";
import { isFileAddress, mediaKind, nameOfFile } from "../model/media";
import type { FlaggedMessage } from "../model/message";

/** A picture, a video or a sound of a message. */
export interface Media {
  readonly kind: MediaKind;
  /** The address of the original file. */
  readonly address: string;
  /** The address of a smaller picture, which is shown until the original is loaded. */
  readonly thumbnail: string | undefined;
  readonly name: string;
  readonly message: FlaggedMessage;
  /** Whether it is in a hidden part of the message, such as a spoiler. */
  readonly isHidden: boolean;
}

const media = ".message_inline_image a, img.inline-image, audio";

/** Media by message object, because an unchanged message stays the identical object. */
const found = new WeakMap<FlaggedMessage, readonly Media[]>();

/** All media of messages, in order. */
export const mediaIn = (messages: readonly FlaggedMessage[]): readonly Media[] =>
  messages.flatMap(mediaOf);

function mediaOf(message: FlaggedMessage): readonly Media[] {
  const before = found.get(message);
  if (before) return before;
  const { content } = message;
  const elements = content.includes("/user_uploads/")
    ? [...parsePasted(content).querySelectorAll(media)]
    : [];
  const all = elements.flatMap((element) => mediaFrom(element, message));
  found.set(message, all);
  return all;
}

function mediaFrom(element: Element, message: FlaggedMessage): readonly Media[] {
  const address = addressOf(element);
  if (address === undefined) return [];
  const picture = element.matches("img") ? element : element.querySelector("img");
  const source = picture?.getAttribute("src") ?? undefined;
  const name = element.getAttribute("title") || element.getAttribute("alt") || nameOfFile(address);
  return [
    {
      kind: mediaKind(address),
      address,
      thumbnail: source !== undefined && isFileAddress(source) ? source : undefined,
      name,
      message,
      isHidden: element.closest(".spoiler-content") !== null,
    },
  ];
}

/**
 * The address of the original file that an element of a message shows; undefined if it is not on
 * this server.
 */
export function addressOf(element: Element): string | undefined {
  const address =
    element.getAttribute("href") ??
    element.getAttribute("data-original-src") ??
    element.getAttribute("src") ??
    "";
  return isFileAddress(address) ? address : undefined;
}
