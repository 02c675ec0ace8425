import type { Context, Person } from "../../core/context";
import { badNarrow } from "../../core/errors";
import { findReadableMessage, type MessageRow, participantIds } from "../../reading/queries";
import type { NarrowTerm } from "./narrow";

/** The operators that name a conversation. */
const conversationOperators = new Set<NarrowTerm["operator"]>(["channel", "topic", "dm"]);

/**
 * Replaces the narrow's conversation by the one that the message of `with` is in now, because the
 * message may have moved since the link was made. If the message is deleted or hidden, the narrow
 * stays as it is.
 */
export async function followLink(
  ctx: Context<Person>,
  terms: readonly NarrowTerm[],
): Promise<readonly NarrowTerm[]> {
  const links = terms.filter((term) => term.operator === "with");
  const [link] = links;
  if (link?.operator !== "with") return terms;
  if (links.length > 1 || link.negated) throw badNarrow("'with' is given once, and not negated");
  const others = terms.filter((term) => term !== link);
  const message = await findReadableMessage(ctx.reader, ctx, link.operand);
  if (message) {
    const rest = others.filter(({ operator }) => !conversationOperators.has(operator));
    return [...rest, ...(await conversationTerms(ctx, message))];
  }
  if (!others.some(({ operator }) => conversationOperators.has(operator)))
    throw badNarrow("unknown message");
  return others;
}

/** The narrow to a message's conversation. */
async function conversationTerms(
  { reader, realm }: Context,
  message: MessageRow,
): Promise<NarrowTerm[]> {
  const { channelId, conversationId, topic } = message;
  if (channelId === null) {
    return [
      {
        operator: "dm",
        operand: await participantIds(reader, realm.id, conversationId ?? 0),
        negated: false,
      },
    ];
  }
  return [
    { operator: "channel", operand: channelId, negated: false },
    { operator: "topic", operand: topic, negated: false },
  ];
}

/**
 * Terms that also show messages which were not delivered to the reader: channels show their
 * history; mentions and stars also those from channels outside.
 */
export const opensHistory = ({ operator, operand, negated }: NarrowTerm) =>
  (operator === "channel" ||
    operator === "channels" ||
    operator === "with" ||
    operator === "id" ||
    (operator === "is" && (operand === "mentioned" || operand === "starred"))) &&
  !negated;
