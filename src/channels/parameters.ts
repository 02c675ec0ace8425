import { invalidParameter } from "../core/errors";
import { integerMax } from "../realm/settings";

/**
 * The stored retention of a channel: a number of days, null for `realm_default`, -1 for
 * `unlimited`. Refuses every other value (REQUEST_VARIABLE_INVALID).
 */
export function readRetention(given: number | string | undefined): number | null | undefined {
  if (given === undefined) return undefined;
  if (given === "realm_default") return null;
  if (given === "unlimited") return -1;
  if (typeof given === "number" && given > 0 && given <= integerMax) return given;
  const message =
    "message_retention_days must be a number of days, 'realm_default' or 'unlimited'.";
  throw invalidParameter("message_retention_days", given, message);
}
