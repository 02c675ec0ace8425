import type { Schema } from "../../db/schema";

export type DraftRow = Schema["drafts"]["$inferSelect"];

/** A draft as the protocol shows it. */
export interface WireDraft {
  id: number;
  type: string;
  to: number[];
  topic: string;
  content: string;
  /** UNIX seconds. */
  timestamp: number;
}

export function draftWire({ id, type, to, topic, content, editedAt }: DraftRow): WireDraft {
  return { id, type, to: JSON.parse(to), topic, content, timestamp: editedAt };
}
