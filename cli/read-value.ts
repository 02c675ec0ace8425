import { isRefusal } from "../src/core/errors";
import { UsageError } from "./output";

/**
 * A value of the command line as `read` takes it, before any data is opened: what `read` refuses is
 * wrong usage, because no data would make it right.
 */
export function readValue<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new UsageError(error.message);
  }
}
