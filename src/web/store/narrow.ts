/** The messages that a view shows. */
export type Narrow =
  | { readonly kind: "all" }
  | { readonly kind: "channel"; readonly channelId: number }
  | { readonly kind: "topic"; readonly channelId: number; readonly topic: string }
  | { readonly kind: "direct"; readonly userIds: readonly number[] };

/** A place that a fragment of an address leads to: messages, and one of them. */
export interface Place {
  readonly narrow: Narrow;
  readonly messageId: number | undefined;
}

/** Fragment of the list of conversations, beside which large screens show all messages. */
export const conversationsFragment = "#conversations";

const all: Place = { narrow: { kind: "all" }, messageId: undefined };

/**
 * The place of a fragment (`#narrow/channel/7-general/topic/lunch/near/12`); undefined for one that
 * leads nowhere. Words that older clients wrote (`stream`, `subject`, `pm-with`) are understood.
 */
export function placeOf(fragment: string): Place | undefined {
  const [first = "", ...parts] = fragment.replace(/^#/, "").split("/");
  if (first === "" || first === "feed" || first === "conversations") return all;
  if (first !== "narrow") return undefined;
  const terms = new Map<string, string>();
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const operand = decodePart(parts[index + 1] ?? "");
    if (operand === undefined) return undefined;
    const operator = decodePart(parts[index] ?? "") ?? "";
    terms.set(otherWords[operator] ?? operator, operand);
  }
  const narrow = narrowOf(terms);
  return narrow && { narrow, messageId: idIn(terms.get("near")) ?? idIn(terms.get("with")) };
}

const otherWords: Readonly<Record<string, string>> = {
  stream: "channel",
  subject: "topic",
  "pm-with": "dm",
};

function narrowOf(terms: ReadonlyMap<string, string>): Narrow | undefined {
  const people = terms.get("dm");
  if (people !== undefined) {
    const ids = people.replace(/-.*$/s, "").split(",").map(Number);
    return ids.every((id) => id > 0) ? { kind: "direct", userIds: ids } : undefined;
  }
  const channelId = idIn(terms.get("channel"));
  if (channelId === undefined) return undefined;
  const topic = terms.get("topic");
  return topic === undefined ? { kind: "channel", channelId } : { kind: "topic", channelId, topic };
}

function idIn(operand: string | undefined): number | undefined {
  const id = Number.parseInt(operand ?? "", 10);
  return id > 0 ? id : undefined;
}

/** Fragments have a dot in place of the percent sign. */
function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll(".", "%"));
  } catch {
    return undefined;
  }
}

const encodePart = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll(".", "%2E")
    .replaceAll("(", "%28")
    .replaceAll(")", "%29")
    .replaceAll("%", ".");

const readable = (name: string): string => encodePart(name.replaceAll(/[\s/]+/g, "-"));

/** The fragment of a narrow; `name` of the channel or the people is there for who reads it. */
export function fragmentOf(narrow: Narrow, name: string): string {
  switch (narrow.kind) {
    case "all":
      return "#feed";
    case "channel":
      return `#narrow/channel/${narrow.channelId}-${readable(name)}`;
    case "topic":
      return `#narrow/channel/${narrow.channelId}-${readable(name)}/topic/${encodePart(narrow.topic)}`;
    case "direct":
      return `#narrow/dm/${narrow.userIds.join(",")}-${readable(name)}`;
  }
}

/** Terms by which the server finds the messages of a narrow. */
export function termsOf(narrow: Narrow): readonly { operator: string; operand: unknown }[] {
  switch (narrow.kind) {
    case "all":
      return [];
    case "channel":
      return [{ operator: "channel", operand: narrow.channelId }];
    case "topic":
      return [
        { operator: "channel", operand: narrow.channelId },
        { operator: "topic", operand: narrow.topic },
      ];
    case "direct":
      return [{ operator: "dm", operand: narrow.userIds }];
  }
}
