import { badRequest } from "../core/errors";
import { json, optional, record } from "../core/params";

export const SummarizeMessages = record({ narrow: optional(json()) });

/**
 * Refuses (BAD_REQUEST) to summarize the messages of a narrow, with the text of a reference server
 * without a language model; `register` says so too (`server_can_summarize_topics`). Source:
 * `test/recorded/api/routes.tsv`.
 */
export function summarizeMessages(): never {
  throw badRequest("AI features are not enabled on this server.");
}
