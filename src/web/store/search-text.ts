import { computed } from "@preact/signals";
import type { Narrow, Term } from "../model/narrow";
import { type MisreadPart, readSearchText, writeSearchText } from "../model/narrow-text";
import type { PeopleNames } from "../model/people-names";
import type { NamedTopic } from "../model/search-suggestions";
import { keepSearch, keptSearches } from "./kept-searches";
import { idsByName, namedTopics } from "./named-things";
import { names, topicName } from "./names";
import { place } from "./place";
import { areResults, showResults } from "./search";
import { channels, me } from "./state";
import { topicsOf } from "./topics";

const channelsByName = computed(
  () => new Map([...channels.value].map(([id, { name }]) => [name.toLowerCase(), id])),
);

/** Names that the text of a search is read and written with. */
export const searchNames: PeopleNames = {
  ...names,
  get me() {
    return me.value;
  },
  channelId: (name) => channelsByName.value.get(name.toLowerCase()),
  peopleNamed: (name) => idsByName.value.get(name.toLowerCase()) ?? [],
};

/** A narrow as people write it in the field of a search. */
export const textOfNarrow = (narrow: Narrow): string => writeSearchText(narrow, searchNames);

/** Texts of the person's latest searches, the latest first. */
export const latestSearches = (): readonly string[] => keptSearches().map(textOfNarrow);

/** The narrow that the place is of; none of a view that lists conversations. */
export const narrowHere = (): Narrow => (place.value.view === "messages" ? place.value.narrow : []);

/** Searches for a text; answers whether it says anything. */
export function searchFor(text: string): boolean {
  const { narrow } = readSearchText(text, searchNames);
  if (narrow.length === 0) return false;
  keepSearch(narrow);
  showResults(narrow);
  return true;
}

/** Parts of the search that is shown which are searched as words, though they look otherwise. */
export const misreadHere = (): readonly MisreadPart[] =>
  areResults() ? readSearchText(textOfNarrow(place.value.narrow), searchNames).misread : [];

/** Topics of a channel that may be meant; of all channels where none is named. */
export function topicsToName(channelId: number | undefined): readonly NamedTopic[] {
  const listed = channelId === undefined ? undefined : topicsOf(channelId);
  if (channelId === undefined || listed === undefined)
    return namedTopics.value.filter(
      (one) => channelId === undefined || one.channelId === channelId,
    );
  return listed.map(({ name: topic, max_id: recency }) => ({
    channelId,
    topic,
    name: topicName(topic),
    recency,
  }));
}

/** The channel that a text names first, so that its topics are loaded. */
export const channelOfText = (text: string): number | undefined =>
  readSearchText(text, searchNames)
    .narrow.map(channelOf)
    .find((id) => id !== undefined);

const channelOf = (term: Term): number | undefined =>
  term.operator === "channel" && !term.negated ? term.operand : undefined;
