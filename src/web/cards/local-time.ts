import { serverNow } from "../store/server-time";
import { settings } from "../store/state";
import { language } from "../words/words";

/**
 * The time of day in a time zone; undefined if the zone is unknown, or the browser does not know
 * it.
 */
export function localTime(timeZone: string): string | undefined {
  if (timeZone === "") return undefined;
  const isTo24 = settings.value.twenty_four_hour_time === true;
  try {
    return new Intl.DateTimeFormat(language, {
      weekday: "short",
      hour: "numeric",
      minute: "2-digit",
      hourCycle: isTo24 ? "h23" : "h12",
      timeZone,
    }).format(serverNow());
  } catch {
    return undefined;
  }
}
