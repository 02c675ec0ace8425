import { LostTexts } from "../compose/edit";
import { Help } from "../keys/help";
import { overlay } from "../keys/overlay";
import { Palette } from "../keys/palette";
import { DialogHost } from "../parts/dialog";
import { EmojiPickerHost } from "../parts/emoji-picker-host";
import { MenuHost } from "../parts/menu";
import { Rare } from "../parts/rare";
import { Toasts } from "../parts/toast";
import { shownCard } from "../store/card";

/** Parts that float above the page: the palette, menus, dialogs, the emoji picker, and notices. */
export const Overlays = () => (
  <>
    <Overlay />
    <MenuHost />
    <CardHost />
    <EmojiPickerHost />
    <DialogHost />
    <LostTexts />
    <Toasts />
  </>
);

/** Draws the open card. */
function CardHost() {
  const card = shownCard.value;
  if (!card) return null;
  return <Rare name="cards" draw={({ CardAbove }) => <CardAbove key={card} card={card} />} />;
}

/** Draws the palette or the list of keys above the page. */
function Overlay() {
  const opening = overlay.value;
  if (!opening) return null;
  return opening.part === "palette" ? <Palette key={opening} /> : <Help key={opening} />;
}
