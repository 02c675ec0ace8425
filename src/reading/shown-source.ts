import type { Context, Person } from "../core/context";
import { isGuest } from "../core/rights/role";
import { viewerOf } from "../people/users/viewer";
import { historyPolicyOf } from "./edit-history";
import { type FullMessage, messageWire, peopleIn } from "./wire";

/**
 * The protocol's message object for a program that acts for the actor: with its source and its
 * HTML, but without flags. Checks no permission. Source: `docs/protocol/specification.md`, Message
 * object.
 */
export async function showSource(
  ctx: Context<Person>,
  message: FullMessage,
): Promise<Record<string, unknown>> {
  const { reader, realm, actor } = ctx;
  const shown = messageWire(message, {
    applyMarkdown: false,
    clientGravatar: false,
    emptyTopicName: false,
    isOfficialClient: false,
    realmHost: realm.host,
    editHistory: historyPolicyOf(realm),
    viewer: await viewerOf(reader, ctx, isGuest(actor.user.role) ? peopleIn([message]) : []),
  });
  return { ...shown, rendered_content: message.renderedContent };
}
