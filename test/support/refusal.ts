import { ApiError } from "../../src/core/errors";
import { errorOf } from "./outcome";

/** Refusal of some work; throws when the work is accepted or fails in another way. */
export async function refusalOf(work: Promise<unknown>): Promise<ApiError> {
  const error = await errorOf(work);
  if (error instanceof ApiError) return error;
  throw error;
}
