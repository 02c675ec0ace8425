import { badRequest } from "../core/errors";
import { isLonger } from "../core/text/name";
import { makePace } from "../core/turns/turn";
import { charactersPerTurn, renderDescription } from "../markdown/render";
import { lengthsMax } from "../protocol/limits";

const { channelDescription: lengthMax } = lengthsMax;

/** HTML by description, rendered before a write that needs many of them. */
export type RenderedDescriptions = ReadonlyMap<string, string>;

/**
 * The stored form of a description: one line. Refuses one of more than 1,024 code points
 * (BAD_REQUEST).
 */
export function cleanDescription(text: string): string {
  if (isLonger(text, lengthMax)) {
    throw badRequest(`The channel's description is too long: at most ${lengthMax} characters.`);
  }
  return text
    .toWellFormed()
    .replaceAll("\0", "")
    .replace(/\r\n|[\r\n]/g, " ");
}

/** Renders descriptions, with turns for other work in between. */
export async function renderDescriptions(
  descriptions: Iterable<string>,
): Promise<RenderedDescriptions> {
  const pace = makePace(charactersPerTurn);
  const rendered = new Map<string, string>();
  for (const description of descriptions) {
    rendered.set(description, renderDescription(description));
    await pace(description.length);
  }
  return rendered;
}

/** The columns of a cleaned description, rendered now unless it was rendered before. */
export const describedBy = (description: string, rendered?: RenderedDescriptions) => ({
  description,
  renderedDescription: rendered?.get(description) ?? renderDescription(description),
});
