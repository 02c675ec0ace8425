import { post } from "../net/api";

const idsPerRequest = 1_000;

/** Marks messages as read. */
export async function markRead(ids: readonly number[]): Promise<void> {
  for (let start = 0; start < ids.length; start += idsPerRequest)
    await post("/messages/flags", {
      messages: ids.slice(start, start + idsPerRequest),
      op: "add",
      flag: "read",
    });
}
