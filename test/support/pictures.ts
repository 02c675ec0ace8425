import { formOf } from "./files";

const decode = (base64: string) => new Uint8Array(Buffer.from(base64, "base64"));

/** 16 × 16 pixels of one colour. */
export const staticPng = decode(
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR4nGP4z8BAEmIY1TCqYfhqAACQ+f8B8u7oVwAAAABJRU5ErkJggg==",
);

/** A GIF of one pixel and two frames, and the same with one frame. */
export const movingGif = decode(
  "R0lGODlhAQABAIAAAAAAAP///yH5BAEKAAEALAAAAAABAAEAAAICTAEAIfkEAQoAAQAsAAAAAAEAAQAAAgJMAQA7",
);
export const stillGif = decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==");

/** A form with a picture, as clients send emoji. */
export const emojiForm = (content: string | Uint8Array<ArrayBuffer>, name = "e.png"): FormData =>
  formOf(name, content, "filename");
