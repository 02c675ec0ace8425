import { type Calls, everyone, signedOut } from "./call";
import { newFile, newForm } from "./things";

const bad = "400 BAD_REQUEST";

/** Files. Only its uploader can open a file that is not shared yet. */
export const fileCalls: Calls = {
  "POST /user_uploads": { outcomes: everyone, prepare: () => ({ form: newForm() }) },
  "GET /attachments": { outcomes: everyone, prepare: () => ({}) },
  "DELETE /attachments/{attachment_id}": {
    outcomes: { ...signedOut, others: bad, member: "ok" },
    prepare: async ({ alice }) => {
      await newFile(alice);
      const { body } = await alice.get("/attachments");
      return { path: { attachment_id: body.attachments.at(-1).id } };
    },
  },
  "GET /user_uploads/{realm_id_str}/{filename}": {
    outcomes: { ...signedOut, others: "404 NOT_FOUND", member: "ok" },
    prepare: async ({ alice }) => ({ path: partsOf(await newFile(alice)) }),
  },
  "GET /thumbnail/status/{realm_id_str}/{filename}": {
    outcomes: { ...signedOut, others: "404 NOT_FOUND", member: "ok" },
    prepare: async ({ alice }) => ({ path: partsOf(await newFile(alice)) }),
  },
  "GET the page /user_uploads/{realm_id_str}/{filename}": {
    outcomes: { others: "404", member: "ok", anonymous: "401", deactivated: "401" },
    prepare: async ({ alice }) => ({ path: partsOf(await newFile(alice)) }),
  },
  "GET the page /user_uploads/download/{realm_id_str}/{filename}": {
    outcomes: { others: "404", member: "ok", anonymous: "401", deactivated: "401" },
    prepare: async ({ alice }) => ({ path: partsOf(await newFile(alice)) }),
  },
  "GET the page /user_uploads/temporary/{token}/{filename}": {
    outcomes: { others: "ok", outsider: "404" },
    prepare: async ({ alice }) => {
      const { body } = await alice.get(await newFile(alice));
      const [, token = "", filename = ""] = /temporary\/([^/]+)\/(.+)$/.exec(body.url) ?? [];
      return { path: { token, filename } };
    },
  },
};

/** `/user_uploads/2/ab/cd/soup.txt` */
function partsOf(url: string) {
  const [, realm_id_str = "", filename = ""] = /^\/user_uploads\/(\d+)\/(.+)$/.exec(url) ?? [];
  return { realm_id_str, filename };
}
