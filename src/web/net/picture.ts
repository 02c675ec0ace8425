import { signed } from "./api";
import { keepPage } from "./build";
import { pictureMilliseconds, timeLimit } from "./time-limit";

/** Uploads a picture as the person's avatar. Throws a `Refusal`. */
export const sendPicture = (picture: Blob): Promise<void> =>
  sendTo("/users/me/avatar", picture, "picture.png");

/** Adds an emoji to the organization, with its picture. Throws a `Refusal`. */
export const sendEmoji = (name: string, picture: File): Promise<void> =>
  sendTo(`/realm/emoji/${encodeURIComponent(name)}`, picture, picture.name);

async function sendTo(path: string, picture: Blob, fileName: string): Promise<void> {
  const form = new FormData();
  form.append("file", picture, fileName);
  const signal = timeLimit(null, pictureMilliseconds);
  const letPageGo = keepPage();
  try {
    await signed((headers) =>
      fetch(`/api/v1${path}`, { method: "POST", body: form, headers, signal }),
    );
  } finally {
    letPageGo();
  }
}
