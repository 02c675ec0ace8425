import { parsePasted } from "../feed/content";
import type { MediaKind } from "../model/media";
import { isFileAddress, mediaKind, nameOfFile } from "../model/media";
import type { FlaggedMessage } from "../model/message";

/** A picture, a film or a sound of a message. */
export interface Media {
  readonly kind: MediaKind;
  /** Address of the whole file. */
  readonly address: string;
  /** Address of a smaller picture of it, shown until the whole one is there. */
  readonly thumbnail: string | undefined;
  readonly name: string;
  readonly message: FlaggedMessage;
  /** Whether it stands in a part of the message that is hidden until somebody opens it. */
  readonly isHidden: boolean;
}

const media = ".message_inline_image a, img.inline-image, audio";

/** Media by the message, because a message that nothing happened to stays the object that it was. */
const found = new WeakMap<FlaggedMessage, readonly Media[]>();

/** All that can be looked at large in messages, in their order. */
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

/** Address of the whole file that an element of a message shows; undefined where it is none of ours. */
export function addressOf(element: Element): string | undefined {
  const address =
    element.getAttribute("href") ??
    element.getAttribute("data-original-src") ??
    element.getAttribute("src") ??
    "";
  return isFileAddress(address) ? address : undefined;
}
