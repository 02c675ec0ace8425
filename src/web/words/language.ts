import type { Words } from "./en";
import type { accounts } from "./en/accounts";
import type { cards } from "./en/cards";
import type { changes } from "./en/changes";
import type { channels } from "./en/channels";
import type { compose } from "./en/compose";
import type { emoji } from "./en/emoji";
import type { files } from "./en/files";
import type { firstSteps } from "./en/first-steps";
import type { invitations } from "./en/invitations";
import type { keys } from "./en/keys";
import type { later } from "./en/later";
import type { lightbox } from "./en/lightbox";
import type { notifications } from "./en/notifications";
import type { report } from "./en/report";
import type { search } from "./en/search";
import type { settings } from "./en/settings";
import type { widgets } from "./en/widgets";

/** A language in which the page can be read. */
export interface Language {
  /** Its tag, for dates, lists and the order of names. */
  readonly tag: string;
  readonly direction: "ltr" | "rtl";
  readonly words: Words;
  /** Texts of parts of the client that are loaded later. */
  readonly parts: {
    readonly accounts: typeof accounts;
    readonly cards: typeof cards;
    readonly changes: typeof changes;
    readonly channels: typeof channels;
    readonly compose: typeof compose;
    readonly emoji: typeof emoji;
    readonly files: typeof files;
    readonly firstSteps: typeof firstSteps;
    readonly invitations: typeof invitations;
    readonly keys: typeof keys;
    readonly later: typeof later;
    readonly lightbox: typeof lightbox;
    readonly notifications: typeof notifications;
    readonly report: typeof report;
    readonly search: typeof search;
    readonly settings: typeof settings;
    readonly widgets: typeof widgets;
  };
}

declare global {
  /**
   * The language of the page, which a separate file sets before the client starts: `words-de.ts`
   * sets it to German. The file imports only types of the client, because otherwise the bundler
   * would split the client's first file. The page loads the file by its reader's
   * `default_language`.
   */
  var chatdLanguage: Language | undefined;
}
