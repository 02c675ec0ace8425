import type { Narrow } from "../model/narrow";
import { kindOf } from "../model/narrow-kind";
import { Refusal } from "../net/api";
import { words } from "../words/words";
import { reasonOf } from "./notices";

/**
 * The reason for which the messages of a narrow were not answered. The server's words about a
 * conversation that the reader may not see, or that never was, are for those who write clients.
 */
export function reasonOfFeed(narrow: Narrow, error: unknown): string {
  const leadsNowhere =
    error instanceof Refusal && error.code === "BAD_NARROW" && kindOf(narrow).kind !== "search";
  return leadsNowhere ? `${words.nowhere} ${words.nowhereHelp}` : reasonOf(error);
}
