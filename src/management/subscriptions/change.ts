import type { Static } from "@sinclair/typebox";
import type { Context, Person } from "../../core/context";
import { badRequest } from "../../core/errors";
import { type Input, optional, record, texts } from "../../core/params";
import { write } from "../../core/write";
import { RemovedSubscriptions, removePrepared } from "./remove";
import { AddedSubscriptions, addPrepared, channelsToAdd, prepareAddition } from "./service";

export const ChangeSubscriptions = record({
  add: optional(channelsToAdd),
  delete: optional(texts()),
});

export const ChangedSubscriptions = record({
  ...AddedSubscriptions.properties,
  ...RemovedSubscriptions.properties,
});

/**
 * Adds and ends subscriptions of the actor in one write: all changes or none. Refuses a request
 * without either. Source: `test/recorded/api/api-surface.json`, update-subscriptions.
 */
export async function changeSubscriptions(
  ctx: Context<Person>,
  input: Input<typeof ChangeSubscriptions>,
): Promise<Static<typeof ChangedSubscriptions>> {
  const { add = [], delete: names = [] } = input;
  if (add.length === 0 && names.length === 0)
    throw badRequest("Nothing to do: give 'add' or 'delete'.");
  const prepared = await prepareAddition(ctx, { subscriptions: add });
  return write(ctx, async (tx) => {
    const added = await addPrepared(tx, ctx, prepared);
    const removed = await removePrepared(tx, ctx, { names, principals: [] });
    return { ...added, ...removed };
  });
}
