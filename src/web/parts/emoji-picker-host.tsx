import { signal } from "@preact/signals";
import type { Emoji } from "../store/emoji-use";
import { EmojiPicker } from "./emoji-picker";

interface Picking {
  /** Element beside which the picker is shown. */
  readonly anchor: HTMLElement;
  pick(emoji: Emoji): void;
  onClose?(): void;
}

/** Parts of an emoji picker. */
export interface PickerProps {
  picking: Picking;
  close: () => void;
}

const open = signal<Picking | undefined>(undefined);

/** Lets the person pick an emoji. */
export function pickEmoji(picking: Picking): void {
  open.value?.onClose?.();
  open.value = picking;
}

/** The emoji picker that is open. */
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
