import type { Context, Person } from "../core/context";
import { type Answered, register } from "../register/register";
import { jsonForScript } from "../web/model/whole-page";
import { clientCapabilities, fetchEventTypes } from "../web/model/wire";

/**
 * The state that a page of the web client begins with, as pieces of JSON: the answer of `register`,
 * with an event queue of its own that goes on from there. Lists of subscribers are left out, because
 * they are most of a large organization's state, and so are addresses of Gravatar's pictures.
 */
export async function snapshotFor(ctx: Context<Person>, answered: Answered): Promise<string[]> {
  const { pieces } = await register(
    ctx,
    {
      fetchEventTypes: [...fetchEventTypes],
      clientCapabilities,
      applyMarkdown: true,
      clientGravatar: true,
      includeSubscribers: false,
      slimPresence: true,
    },
    answered,
  );
  return ["{", ...pieces, "}"].map(jsonForScript);
}
