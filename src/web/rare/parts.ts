/*
 * Parts of the page that few people open at a time. They are one file of the bundle, because each
 * further one would share other modules with the first file and so cut that into pieces, which a
 * browser asks for one by one.
 */
export { openDelete } from "../feed/delete-dialog";
export { openHistory } from "../feed/edit-history";
export { openSource, showText } from "../feed/message-source";
export { openMove } from "../feed/move-dialog";
export { openReaders } from "../feed/readers";
export { Help } from "../keys/help";
export { Palette } from "../keys/palette";
export { EmojiPicker } from "../parts/emoji-picker";
