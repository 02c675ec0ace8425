import type { Context, Person } from "../core/context";
import { chunksOf } from "../core/text/text-chunks";
import { makePace } from "../core/turns/turn";
import { type Answered, register } from "../register/register";
import { leanJson } from "../web/model/lean-state";
import { jsonForScript } from "../web/model/whole-page";
import { clientCapabilities, fetchEventTypes } from "../web/model/wire";

/** UTF-16 units of JSON that are reduced before other work gets its turn. */
const unitsPerTurn = 524_288;

/**
 * The initial state of a page of the web client, as pieces of JSON: the answer of `register` with
 * its own event queue, which continues from there. Default values are left out. So are lists of
 * subscribers, because they are most of a large organization's state, and addresses of Gravatar's
 * pictures.
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
  const state: string[] = [];
  const pace = makePace(unitsPerTurn);
  for (const chunk of chunksOf(["{", ...pieces, "}"])) {
    state.push(jsonForScript(leanJson(chunk)));
    await pace(chunk.length);
  }
  return state;
}
