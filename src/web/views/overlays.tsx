import { LostTexts } from "../feed/edit";
import { DialogHost } from "../parts/dialog";
import { EmojiPickerHost } from "../parts/emoji-picker-host";
import { MenuHost } from "../parts/menu";
import { Toasts } from "../parts/toast";

/** Parts of the page that float above it: menus, dialogs, the emoji picker and notices. */
export const Overlays = () => (
  <>
    <MenuHost />
    <EmojiPickerHost />
    <DialogHost />
    <LostTexts />
    <Toasts />
  </>
);
