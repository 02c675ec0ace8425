/* All of the second file is imported, or the bundler would cut it into pieces. */
import "../late/parts";
import style from "../look/later.css" with { type: "file" };

export { Files } from "../later/files";
export { openReminder } from "../later/reminder-dialog";
export { Reminders } from "../later/reminders";
export { Scheduled } from "../later/scheduled";
export { openSendLater } from "../later/send-later";
export { Snippets } from "../later/snippets";
export { style };
