import { LostTexts } from "../feed/edit";
import { Help } from "../keys/help";
import { Palette } from "../keys/palette";
import { overPage } from "../keys/palette-door";
import { DialogHost } from "../parts/dialog";
import { EmojiPickerHost } from "../parts/emoji-picker-host";
import { MenuHost } from "../parts/menu";
import { Toasts } from "../parts/toast";

/** Parts of the page that float above it: the palette, menus, dialogs, the emoji picker, notices. */
export const Overlays = () => (
  <>
    <OverPage />
    <MenuHost />
    <EmojiPickerHost />
    <DialogHost />
    <LostTexts />
    <Toasts />
  </>
);

/** The palette or the list of keys above the page. */
function OverPage() {
  const opening = overPage.value;
  if (!opening) return null;
  return opening.part === "palette" ? <Palette key={opening} /> : <Help key={opening} />;
}
