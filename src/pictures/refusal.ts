import { ApiError } from "../core/errors";

/** Refusal of a file that is no accepted picture. */
export const badImage = (
  message = "The file is no picture that can be read. Use a PNG, JPEG, WebP or GIF of moderate size.",
) => new ApiError("BAD_IMAGE", message);
