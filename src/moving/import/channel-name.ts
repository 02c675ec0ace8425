import { lengthsMax } from "../../protocol/limits";
import { cleanedName } from "./people";
import type { SkipReport } from "./report";

const lengthMax = lengthsMax.channelName;

/**
 * The name here of an imported channel, which is added to `taken` in lower case; undefined if the
 * channel has no valid name, or its name is taken. A name that is longer than channels may have is
 * shortened and reported, because with it nobody could apply the organization's file or rename the
 * channel.
 */
export function channelNameOf(
  given: string,
  taken: Set<string>,
  report: SkipReport,
): string | undefined {
  const whole = cleanedName(given, "");
  const characters = [...whole];
  let name = characters.slice(0, lengthMax).join("").trim();
  const isShortened = characters.length > lengthMax;
  for (let number = 2; isShortened && taken.has(name.toLowerCase()); number++) {
    const end = ` (${number})`;
    name = `${characters
      .slice(0, lengthMax - end.length)
      .join("")
      .trim()}${end}`;
  }
  if (name === "" || taken.has(name.toLowerCase())) return undefined;
  taken.add(name.toLowerCase());
  if (isShortened) report.add("channels", whole, "have a shortened name");
  return name;
}
