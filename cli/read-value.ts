import { isRefusal } from "../src/core/errors";
import { UsageError } from "./output";

/**
 * A value of the command line, decoded by `read` before any data is opened. A refusal of `read` is
 * reported as wrong usage, because no data would make the value right.
 */
export function readValue<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new UsageError(error.message);
  }
}
