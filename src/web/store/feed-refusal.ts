import type { Narrow } from "../model/narrow";
import { kindOf } from "../model/narrow-kind";
import { Refusal } from "../net/api";
import { words } from "../words/words";
import { reasonOf } from "./notices";

/**
 * Why the messages of a narrow could not be loaded. The server's own words about conversations that
 * do not exist, or that the reader may not see, are written for authors of clients, so they are
 * replaced.
 */
export function reasonOfFeed(narrow: Narrow, error: unknown): string {
  const leadsNowhere =
    error instanceof Refusal && error.code === "BAD_NARROW" && kindOf(narrow).kind !== "search";
  return leadsNowhere ? `${words.nowhere} ${words.nowhereHelp}` : reasonOf(error);
}
