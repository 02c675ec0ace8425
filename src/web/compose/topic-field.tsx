import { useEffect } from "preact/hooks";
import type { Target } from "../model/recipient";
import { chooseTarget, focusText } from "../store/box";
import { isConnected } from "../store/state";
import { openTopics, topicsOf } from "../store/topics";
import { composeWords } from "../words/compose";
import { words } from "../words/words";
import { type Choice, ChoiceField } from "./choice-field";
import { matchOf } from "./matching";
import { topicsPolicy } from "./send";

const choicesMax = 8;

/** The field for the topic of a message, with the topics of its channel. */
export function TopicField({ target }: { target: Extract<Target, { kind: "topic" }> }) {
  const { channelId, topic } = target;
  const hasTopics = channelId !== undefined && topicsOf(channelId) !== undefined;
  const isReached = isConnected.value;
  useEffect(() => {
    if (channelId !== undefined) void openTopics(channelId);
  }, [channelId, hasTopics, isReached]);
  const isNeeded = channelId !== undefined && topicsPolicy(channelId) === "disable_empty_topic";
  const write = (text: string) => chooseTarget({ ...target, topic: text });
  return (
    <ChoiceField
      label={isNeeded ? composeWords.topicNeeded : composeWords.topic}
      placeholder={isNeeded ? undefined : composeWords.topicOrNone(words.noTopic)}
      value={topic}
      choices={channelId === undefined ? [] : choicesFor(channelId, topic)}
      onInput={write}
      onChoose={({ name }) => {
        write(name);
        focusText();
      }}
      onDone={focusText}
    />
  );
}

function choicesFor(channelId: number, typed: string): readonly Choice[] {
  const fitting = (topicsOf(channelId) ?? []).flatMap(({ name }) => {
    const match = name === "" || name === typed ? undefined : matchOf(name, typed);
    return match ? [{ key: name, name, match, sign: null }] : [];
  });
  return fitting.sort((one, other) => one.match.rank - other.match.rank).slice(0, choicesMax);
}
