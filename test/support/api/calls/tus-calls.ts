import type { Client } from "../../client";
import { emojiForm, staticPng } from "../../pictures";
import { type Calls, everyone, open, signedOut } from "./call";
import { newFile } from "./things";

const headers = { "tus-resumable": "1.0.0" };
const begun = { ...headers, "upload-length": "5", "upload-metadata": "filename bm90ZS50eHQ=" };

/** Begins an upload of five bytes, and answers its id. */
async function newUpload(person: Client): Promise<string> {
  const { headers: told } = await person.ask("POST", "/tus", {}, { headers: begun });
  return told.get("location")?.split("/").at(-1) ?? "";
}

const own = { ...signedOut, others: "404 NOT_FOUND", member: "ok" };

/** Uploads in several requests. Each is its uploader's alone. */
export const tusCalls: Calls = {
  "POST /tus": { outcomes: everyone, prepare: () => ({ headers: begun }) },
  "POST /tus/": { outcomes: everyone, prepare: () => ({ headers: begun }) },
  "OPTIONS /tus": { outcomes: open, prepare: () => ({ headers }) },
  "OPTIONS /tus/": { outcomes: open, prepare: () => ({ headers }) },
  "HEAD /tus/{upload_id}": {
    outcomes: { anonymous: "401", deactivated: "401", others: "404", member: "ok" },
    prepare: async ({ alice }) => ({ path: { upload_id: await newUpload(alice) }, headers }),
  },
  "PATCH /tus/{upload_id}": {
    outcomes: own,
    prepare: async ({ alice }) => ({
      path: { upload_id: await newUpload(alice) },
      headers: {
        ...headers,
        "upload-offset": "0",
        "content-type": "application/offset+octet-stream",
      },
    }),
  },
  "DELETE /tus/{upload_id}": {
    outcomes: own,
    prepare: async ({ alice }) => ({ path: { upload_id: await newUpload(alice) }, headers }),
  },
  "GET the page /user_uploads/thumbnail/{realm_id_str}/{filename}": {
    outcomes: { others: "404", member: "ok", anonymous: "401", deactivated: "401" },
    prepare: async ({ alice }) => {
      const url = await newFile(alice, emojiForm(staticPng, "soup.png"));
      const [, realm_id_str = "", filename = ""] = /^\/user_uploads\/(\d+)\/(.+)$/.exec(url) ?? [];
      return { path: { realm_id_str, filename: `${filename}/840x560.webp` } };
    },
  },
};
