import type { Directory, ReadableMessage } from "./read";

/** A format in which people or programs can read an organization. */
export interface ReadableForm {
  begin(): Promise<void>;
  /** Adds messages in their order, oldest first. */
  add(messages: readonly ReadableMessage[]): Promise<void>;
  /** Adds the overview, by the names of all people and places that the messages have met. */
  end(directory: Directory): Promise<void>;
}

/** Formats that can be read but not imported. */
const readableForms = ["html", "jsonl"] as const;

export type ReadableFormName = (typeof readableForms)[number];

/** Forms of an export other than chatd's own. */
export const exportForms = [...readableForms, "zulip"] as const;

export type ExportFormName = (typeof exportForms)[number];
