import { badRequest, refusedFor } from "../errors";
import { isBlank, withoutHidden } from "./hidden-characters";
import { hasControls } from "./unprintable";

/**
 * A name without the spaces around it and without invisible characters (`withoutHidden`). Refuses a
 * name that is then empty, is longer than `lengthMax` code points or has characters that are not
 * printable. `what` is the subject of the refusal: "The group's name".
 */
export function cleanName(what: string, name: string, lengthMax: number): string {
  const given = name.trim();
  if (given === "") throw refusedFor("name-empty", `${what} must not be empty.`);
  if (isLonger(given, lengthMax))
    throw refusedFor(
      "name-long",
      `${what} is too long: at most ${lengthMax} characters.`,
      String(lengthMax),
    );
  if (hasControls(given))
    throw refusedFor("name-characters", `${what} must not contain control characters.`);
  const visible = withoutHidden(given).trim();
  if (isBlank(visible)) throw refusedFor("name-unseen", `${what} must have visible characters.`);
  return visible;
}

/**
 * A text of several lines, which may be empty. Refuses a text that is longer than `lengthMax` code
 * points or holds a NUL.
 */
export function cleanText(what: string, text: string, lengthMax: number): string {
  if (isLonger(text, lengthMax))
    throw badRequest(`${what} is too long: at most ${lengthMax} characters.`);
  if (text.includes("\0")) throw badRequest(`${what} must not contain NUL characters.`);
  return text;
}

/** Whether a text has more code points than `lengthMax`, without splitting a huge text. */
export function isLonger(text: string, lengthMax: number): boolean {
  if (text.length <= lengthMax) return false;
  return text.length > lengthMax * 2 || [...text].length > lengthMax;
}
