import type { Attack } from "./attack";
import { costlyMarkdown, longHtml, manyChannels, wordySearches } from "./attack-content";
import { largePictures, strangers } from "./attack-doors";
import { longAway } from "./attack-unread";

/** Every attack of the scenario *neighbours*, by the name that its figures begin with. */
export const attacks: Readonly<Record<string, { label: string; attack: Attack }>> = {
  longHtml: { label: "a guest sends, reads, searches and polls long HTML", attack: longHtml },
  manyChannels: { label: "a member makes channels and registers", attack: manyChannels },
  strangers: { label: "strangers send large bodies and ask too often", attack: strangers },
  costlyMarkdown: { label: "a member sends code and formulas", attack: costlyMarkdown },
  wordySearches: { label: "a member searches long texts", attack: wordySearches },
  largePictures: { label: "members upload large pictures", attack: largePictures },
  longAway: { label: "four with 100,000 unread messages come back", attack: longAway },
};
