import type { ComponentChildren } from "preact";
import {
  type OperatorHint,
  type Suggested,
  type Suggestion,
  suggestionsFor,
} from "../model/search-suggestions";
import { Avatar } from "../parts/avatar";
import { ChannelMark } from "../parts/channel-mark";
import { Icon } from "../parts/icon";
import { namedChannels, namedPeople } from "../store/named-things";
import { channelName, topicName, userName } from "../store/names";
import { latestSearches, searchNames, topicsToName } from "../store/search-text";
import { users } from "../store/state";
import { searchWords } from "../words/search";
import { words } from "../words/words";

export const suggestionsId = "search-suggestions";
export const optionId = (index: number): string => `${suggestionsId}-${index}`;

const explanations: ReadonlyMap<string, string> = new Map(Object.entries(searchWords.operators));

/** Operators with their explanations, in the order in which they are suggested. */
const operators: readonly OperatorHint[] = [...explanations].map(([name, otherWords], place) => ({
  name,
  otherWords,
  recency: -place,
  isOpen: name.endsWith(":"),
}));

/** Suggestions for a text and a position of the caret. */
export const suggestionsOf = (text: string, caret: number): readonly Suggestion[] =>
  suggestionsFor(text, caret, {
    names: searchNames,
    operators,
    people: namedPeople.value,
    channels: namedChannels.value,
    topicsOf: topicsToName,
    recent: latestSearches(),
  });

interface SuggestionsProps {
  suggestions: readonly Suggestion[];
  active: number;
  take(suggestion: Suggestion): void;
}

/** The suggestions below the search field. */
export const Suggestions = ({ suggestions, active, take }: SuggestionsProps) => (
  <div class="offers" id={suggestionsId} role="listbox" aria-label={searchWords.suggestions}>
    {suggestions.map((suggestion, index) => (
      <button
        key={suggestion.key}
        type="button"
        tabIndex={-1}
        id={optionId(index)}
        role="option"
        aria-selected={index === active}
        // The field keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => take(suggestion)}
      >
        <Sign about={suggestion.about} />
        <span class="name" dir="auto">
          {nameOf(suggestion)}
        </span>
        <small dir="auto">{noteOf(suggestion.about)}</small>
      </button>
    ))}
  </div>
);

function Sign({ about }: { about: Suggested }): ComponentChildren {
  switch (about.kind) {
    case "person": {
      const user = users.value.get(about.userId);
      return user ? <Avatar user={user} isSmall /> : null;
    }
    case "channel":
    case "topic":
      return <ChannelMark channelId={about.channelId} />;
    default:
      return <Icon name={about.kind === "recent" ? "clock" : "search"} />;
  }
}

function nameOf({ about, text }: Suggestion): string {
  switch (about.kind) {
    case "person":
      return userName(about.userId);
    case "channel":
      return channelName(about.channelId);
    case "topic":
      return topicName(about.topic);
    default:
      return text.trim();
  }
}

function noteOf(about: Suggested): string {
  switch (about.kind) {
    case "recent":
      return searchWords.recent;
    case "operator":
      return explanations.get(about.name) ?? "";
    case "person":
      return isOfPeople(about.operator) ? searchWords.people[about.operator] : "";
    case "channel":
      return words.actions.channel;
    case "topic":
      return channelName(about.channelId);
  }
}

const isOfPeople = (operator: string): operator is keyof typeof searchWords.people =>
  Object.hasOwn(searchWords.people, operator);
