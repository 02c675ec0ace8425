/**
 * Words at the caret for which suggestions are shown. `from` is where they begin, including their
 * mark.
 */
export type Query =
  | {
      readonly kind: "person";
      readonly from: number;
      readonly typed: string;
      readonly isSilent: boolean;
    }
  | { readonly kind: "channel"; readonly from: number; readonly typed: string }
  | {
      readonly kind: "topic";
      readonly from: number;
      readonly typed: string;
      readonly channelName: string;
    }
  | { readonly kind: "emoji"; readonly from: number; readonly typed: string }
  | { readonly kind: "time"; readonly from: number; readonly typed: string }
  | { readonly kind: "command"; readonly from: number; readonly typed: string };

/** No name is longer, so longer words after a mark are not a name. */
const typedMax = 60;

/** A mark only counts at the beginning of a word, because addresses contain such characters too. */
const start = String.raw`(?<=^|[\s(\[{"'“‘«—–/>*_~-])`;
const personForm = new RegExp(String.raw`${start}@(_?)\*{0,2}([^\n@*|]{0,${typedMax}})$`, "u");
const channelForm = new RegExp(String.raw`${start}#\*{0,2}([^\n#*>]{0,${typedMax}})$`, "u");
const topicForm = new RegExp(
  String.raw`${start}#\*{0,2}([^\n#*>]{1,${typedMax}})(?:\*\* ?)?>([^\n#*]{0,${typedMax}})$`,
  "u",
);
const emojiForm = new RegExp(String.raw`${start}:([\p{L}\p{N}_+-]{2,${typedMax}})$`, "u");
const timeForm = /<(t(?:i(?:m(?:e(?::[^\n<>]{0,40})?)?)?)?)$/;
const commandForm = /(?:^|\n)\/([^\n/]{0,40})$/;

/** The words at the caret for which suggestions are shown; undefined if there are none. */
export function queryAt(text: string, caret: number): Query | undefined {
  const before = text.slice(0, caret);
  return isInCode(before) ? undefined : queryIn(before);
}

function queryIn(before: string): Query | undefined {
  const time = timeForm.exec(before);
  if (time && (time[1] ?? "").length >= 3)
    return { kind: "time", from: time.index, typed: time[1]?.slice("time:".length) ?? "" };
  const emoji = emojiForm.exec(before);
  if (emoji) return { kind: "emoji", from: emoji.index, typed: emoji[1] ?? "" };
  const person = personForm.exec(before);
  if (person && isNameLike(person[2]))
    return {
      kind: "person",
      from: person.index,
      typed: person[2] ?? "",
      isSilent: person[1] === "_",
    };
  const topic = topicForm.exec(before);
  if (topic)
    return {
      kind: "topic",
      from: topic.index,
      channelName: topic[1]?.trim() ?? "",
      typed: topic[2]?.trimStart() ?? "",
    };
  const channel = channelForm.exec(before);
  if (channel && isNameLike(channel[1]))
    return { kind: "channel", from: channel.index, typed: channel[1] ?? "" };
  const command = commandForm.exec(before);
  if (command) {
    const from = command.index + (command[0].startsWith("\n") ? 1 : 0);
    return { kind: "command", from, typed: command[1] ?? "" };
  }
  return undefined;
}

/** Whether words may be the beginning of a name. `# heading` and `@ home` are not. */
const isNameLike = (typed = ""): boolean => !/^\s/.test(typed);

/** Whether a text ends inside code, where marks have no meaning. */
export function isInCode(before: string): boolean {
  const fences = before.match(/^(?:```|~~~)/gm)?.length ?? 0;
  if (fences % 2 === 1) return true;
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return !/^(?:```|~~~)/.test(line) && (line.match(/`/g)?.length ?? 0) % 2 === 1;
}
