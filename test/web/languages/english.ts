import { en } from "../../../src/web/words/en";
import { accounts } from "../../../src/web/words/en/accounts";
import { cards } from "../../../src/web/words/en/cards";
import { changes } from "../../../src/web/words/en/changes";
import { channels } from "../../../src/web/words/en/channels";
import { compose } from "../../../src/web/words/en/compose";
import { emoji } from "../../../src/web/words/en/emoji";
import { files } from "../../../src/web/words/en/files";
import { firstSteps } from "../../../src/web/words/en/first-steps";
import { invitations } from "../../../src/web/words/en/invitations";
import { keys } from "../../../src/web/words/en/keys";
import { later } from "../../../src/web/words/en/later";
import { lightbox } from "../../../src/web/words/en/lightbox";
import { notifications } from "../../../src/web/words/en/notifications";
import { report } from "../../../src/web/words/en/report";
import { search } from "../../../src/web/words/en/search";
import { settings } from "../../../src/web/words/en/settings";
import { widgets } from "../../../src/web/words/en/widgets";
import type { Language } from "../../../src/web/words/language";

/** English as a language among others. */
export const english: Language = {
  tag: "en",
  direction: "ltr",
  words: en,
  parts: {
    accounts,
    cards,
    changes,
    channels,
    compose,
    emoji,
    files,
    firstSteps,
    invitations,
    keys,
    later,
    lightbox,
    notifications,
    report,
    search,
    settings,
    widgets,
  },
};
