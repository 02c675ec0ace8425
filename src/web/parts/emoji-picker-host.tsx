import { signal } from "@preact/signals";
import type { Emoji } from "../store/emoji-use";
import { EmojiPicker } from "./emoji-picker";

interface Picking {
  /** The element beside which the picker is shown. */
  readonly anchor: HTMLElement;
  pick(emoji: Emoji): void;
  onClose?(): void;
}

/** Properties of an emoji picker. */
export interface PickerProps {
  picking: Picking;
  close: () => void;
}

const open = signal<Picking | undefined>(undefined);

/** Opens the emoji picker. */
export function pickEmoji(picking: Picking): void {
  open.value?.onClose?.();
  open.value = picking;
}

/** Draws the open emoji picker. */
export function EmojiPickerHost() {
  const picking = open.value;
  if (!picking) return null;
  const close = () => {
    if (open.value !== picking) return;
    open.value = undefined;
    picking.onClose?.();
  };
  return <EmojiPicker key={picking} picking={picking} close={close} />;
}
