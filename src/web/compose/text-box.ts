import type { ReadonlySignal } from "@preact/signals";
import type { Target } from "../model/recipient";
import { type Offering, offeringOf } from "./offering";
import { type Previewing, previewOf } from "./preview";

/** The text of a box: where it is stored, and where it is sent. */
export interface WrittenText {
  /** The key of the text. Files that are being uploaded belong to it. */
  readonly key: ReadonlySignal<string>;
  readonly text: ReadonlySignal<string>;
  /** The conversation to which it is sent, which may be incomplete. */
  readonly target: ReadonlySignal<Target>;
  write(text: string): void;
  /** Replaces one text by another in a text that the box no longer shows. */
  replaceAway(key: string, before: string, after: string): void;
  /** Shows the writer why something cannot be done; undefined removes the reason. */
  tell(reason: string | undefined): void;
}

/** A box in which Markdown is written, for a new message or for a message that is being edited. */
export interface TextBox extends WrittenText {
  /** The prefix of the ids of its elements. */
  readonly id: string;
  /** The text field, while it is in the document. */
  readonly field: { current: HTMLTextAreaElement | null };
  readonly offering: Offering;
  readonly preview: Previewing;
}

/** Creates the box of a text. */
export function textBox(id: string, written: WrittenText): TextBox {
  const field = { current: null };
  const offering = offeringOf({ ...written, field });
  return { ...written, id, field, offering, preview: previewOf(written) };
}
