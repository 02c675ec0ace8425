import type { ReadonlySignal } from "@preact/signals";
import type { Target } from "../model/recipient";
import { type Offering, offeringOf } from "./offering";
import { type Previewing, previewOf } from "./preview";

/** The text of a box: where it is kept, and where it goes. */
export interface WrittenText {
  /** Key of the text: files that are on their way belong to it. */
  readonly key: ReadonlySignal<string>;
  readonly text: ReadonlySignal<string>;
  /** Conversation that it goes to, as far as it is chosen. */
  readonly target: ReadonlySignal<Target>;
  write(text: string): void;
  /** Puts one text in the place of another in a text that the box does not show any more. */
  replaceAway(key: string, before: string, after: string): void;
  /** Tells the writer why something cannot be done; undefined takes that back. */
  tell(reason: string | undefined): void;
}

/** A box in which Markdown is written: that of new messages, or of a message that is changed. */
export interface TextBox extends WrittenText {
  /** The ids of its parts begin with it. */
  readonly id: string;
  /** The text field, while it is drawn. */
  readonly field: { current: HTMLTextAreaElement | null };
  readonly offering: Offering;
  readonly preview: Previewing;
}

/** Makes the box of a text. */
export function textBox(id: string, written: WrittenText): TextBox {
  const field = { current: null };
  const offering = offeringOf({ ...written, field });
  return { ...written, id, field, offering, preview: previewOf(written) };
}
