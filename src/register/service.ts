import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import type { Context, Person } from "../core/context";
import type { Connection } from "../core/endpoint";
import { badEventQueueId, badRequest } from "../core/errors";
import { queuesEnded } from "../core/event-hub";
import { commaBetween, JsonPieces } from "../core/json/raw-json";
import { flag, type Input, integer, optional, record, text } from "../core/params";
import { beginLongWork, endLongWork } from "../core/turns/turn";
import { write } from "../core/write";
import { deleteQueues, hasQueue } from "../events/queues";
import { Register, register, registerOutput } from "./register";

export const GetEvents = record({
  queueId: optional(text()),
  lastEventId: optional(integer()),
  dontBlock: optional(flag()),
  ...Register.properties,
});

/**
 * Events with their own fields; with the answer of `register` where the request has opened a queue.
 */
export const eventsOutput = <Keys extends TProperties>(stateKeys: Keys, event: TSchema) =>
  Type.Object({
    ...Type.Partial(registerOutput(stateKeys)).properties,
    events: Type.Array(event),
    queue_id: Type.String(),
  });

export const DeleteQueue = record({ queueId: text() });

/**
 * Answers the events after `lastEventId`, waiting for one unless told not to. Without a queue's id
 * it registers one with the parameters of register, and answers the state too. One answer has at
 * most `answer_size_bytes_max`, but at least one event; the next poll answers the rest at once.
 * Source: `docs/protocol/specification.md`, GET /events.
 */
export async function getEvents(
  ctx: Context<Person>,
  input: Input<typeof GetEvents>,
  connection: Connection,
): Promise<JsonPieces> {
  const { queueId, lastEventId, dontBlock = false } = input;
  if (queueId === undefined) {
    const { pieces } = await register(ctx, input, connection);
    return new JsonPieces([...pieces, ',"events":[]']);
  }
  if (lastEventId === undefined) throw badRequest("Missing 'last_event_id' argument.");
  const { realm, actor, app } = ctx;
  const events = await app.events.poll({
    realmId: realm.id,
    userId: actor.user.id,
    queueId,
    lastEventId,
    dontBlock,
    expect: connection.expect,
    beginLongWork: () => beginLongWork(ctx),
    endLongWork: () => endLongWork(ctx.longWork),
    // Made on first use, because only waiting polls need it.
    get signal() {
      return connection.signal;
    },
  });
  return new JsonPieces([
    '"events":[',
    ...commaBetween(events),
    `],"queue_id":${JSON.stringify(queueId)}`,
  ]);
}

/** Deletes a queue of the actor's; a poll that waits on it is refused. */
export async function deleteQueue(
  ctx: Context<Person>,
  { queueId }: Input<typeof DeleteQueue>,
): Promise<undefined> {
  const { realm, actor } = ctx;
  await write(ctx, async (tx) => {
    if (!(await hasQueue(tx, realm.id, actor.user.id, queueId))) throw badEventQueueId(queueId);
    await deleteQueues(tx, realm.id, [queueId]);
    await tx.emit({ to: "server" }, queuesEnded({ queueIds: [queueId] }));
  });
}
