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

/** The names with which the text of a search is read and written. */
export const searchNames: PeopleNames = {
  ...names,
  get me() {
    return me.value;
  },
  channelId: (name) => channelsByName.value.get(name.toLowerCase()),
  peopleNamed: (name) => idsByName.value.get(name.toLowerCase()) ?? [],
};

/** A narrow as text for the search field. */
export const textOfNarrow = (narrow: Narrow): string => writeSearchText(narrow, searchNames);

/** The texts of the person's latest searches, the latest first. */
export const latestSearches = (): readonly string[] => keptSearches().map(textOfNarrow);

/** The narrow of the place; empty for a view that lists conversations. */
export const narrowHere = (): Narrow => (place.value.view === "messages" ? place.value.narrow : []);

/** Searches for a text; returns false if the text is empty. */
export function searchFor(text: string): boolean {
  const { narrow } = readSearchText(text, searchNames);
  if (narrow.length === 0) return false;
  keepSearch(narrow);
  showResults(narrow);
  return true;
}

/** Parts of the shown search that are searched as words, although they look like something else. */
export const misreadHere = (): readonly MisreadPart[] =>
  areResults() ? readSearchText(textOfNarrow(place.value.narrow), searchNames).misread : [];

/** Topics to suggest for a channel, or for all channels if none is named. */
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

/** The first channel that a text names, so that its topics are loaded. */
export const channelOfText = (text: string): number | undefined =>
  readSearchText(text, searchNames)
    .narrow.map(channelOf)
    .find((id) => id !== undefined);

const channelOf = (term: Term): number | undefined =>
  term.operator === "channel" && !term.negated ? term.operand : undefined;
