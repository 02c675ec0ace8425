import { signed } from "./api";
import { changeMilliseconds, timeLimit } from "./time-limit";

/** Uploads a picture as the person's avatar. Throws a `Refusal`. */
export async function sendPicture(picture: Blob): Promise<void> {
  const form = new FormData();
  form.append("file", picture, "picture.png");
  const signal = timeLimit(null, changeMilliseconds);
  await signed((headers) =>
    fetch("/api/v1/users/me/avatar", { method: "POST", body: form, headers, signal }),
  );
}
