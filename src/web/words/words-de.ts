import { de } from "./de";
import { accounts } from "./de/accounts";
import { cards } from "./de/cards";
import { changes } from "./de/changes";
import { channels } from "./de/channels";
import { compose } from "./de/compose";
import { emoji } from "./de/emoji";
import { files } from "./de/files";
import { firstSteps } from "./de/first-steps";
import { invitations } from "./de/invitations";
import { keys } from "./de/keys";
import { later } from "./de/later";
import { lightbox } from "./de/lightbox";
import { notifications } from "./de/notifications";
import { report } from "./de/report";
import { search } from "./de/search";
import { settings } from "./de/settings";
import { widgets } from "./de/widgets";

globalThis.chatdLanguage = {
  tag: "de",
  direction: "ltr",
  words: de,
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
