/*
 * The second file of the client: all that the first view of messages can be drawn without.
 * `parts/late` loads it. It is one file, because each further one would share other modules with
 * the first file and so cut that into pieces, which a browser asks for one by one.
 */

/* All of the first file is imported, or the bundler would make a third of what both files need. */
import "../views/start";

export { Compose } from "../compose/compose";
export { EditBox, KeptEdit } from "../compose/edit";
export { copyCode } from "../feed/copy-code";
export { openReactionPicker } from "../feed/message-actions";
export { Actions } from "../feed/message-toolbar";
export { hasOutgoing, OutgoingRows, UnsentElsewhere } from "../feed/outgoing";
export { ReaderFollower } from "../feed/reader-follower";
export { ViewActions } from "../feed/topic-actions";
export { keysOf } from "../keys/keyboard";
export { startDirect } from "../keys/message-commands";
export { awaitedByKeys } from "../store/awaited";
export { isCollapsed, toggleCollapsed } from "../store/collapsing";
export { draftCount } from "../store/drafts";
export { editOf } from "../store/editing";
export { ListFoot } from "../views/list-foot";
export { ListView } from "../views/list-view";
export { OfflineNote } from "../views/offline-note";
export { Overlays } from "../views/overlays";
export { People } from "../views/people";
export { SearchField } from "../views/search";
export { SearchNotes } from "../views/search-notes";
export { begin } from "./begin";
