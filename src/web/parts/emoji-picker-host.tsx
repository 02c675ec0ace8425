import { signal } from "@preact/signals";
import type { Emoji } from "../store/emoji-use";
import { withRareParts } from "./rare";

interface Picking {
  /** Element beside which the picker is shown. */
  readonly anchor: HTMLElement;
  pick(emoji: Emoji): void;
  onClose?(): void;
}

/** Parts of an emoji picker, which is loaded when one is opened first. */
export interface PickerProps {
  picking: Picking;
  close: () => void;
}

const open = signal<
  | { readonly picking: Picking; readonly Picker: (props: PickerProps) => preact.JSX.Element }
  | undefined
>(undefined);

/** Lets the person pick an emoji. */
export function pickEmoji(picking: Picking): void {
  withRareParts(({ EmojiPicker }) => {
    open.value?.picking.onClose?.();
    open.value = { picking, Picker: EmojiPicker };
  }, picking.onClose);
}

/** The emoji picker that is open. */
export function EmojiPickerHost() {
  const current = open.value;
  if (!current) return null;
  const { picking, Picker } = current;
  const close = () => {
    if (open.value !== current) return;
    open.value = undefined;
    picking.onClose?.();
  };
  return <Picker key={current} picking={picking} close={close} />;
}
