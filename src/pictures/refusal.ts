import { ApiError } from "../core/errors";
import type { Reason } from "../core/reasons";

/** Refusal of a file that is no accepted picture. */
export const badImage = (
  message = "The file is no picture that can be read. Use a PNG, JPEG, WebP or GIF of moderate size.",
  reason?: Reason,
) => new ApiError("BAD_IMAGE", message, 400, {}, reason);
