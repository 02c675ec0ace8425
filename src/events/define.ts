import { type Static, type TObject, type TProperties, Type } from "@sinclair/typebox";
import type { LoggedEvent } from "../core/context";

/** An event type declared: the constructor of its events, with the schema of what clients get. */
export interface EventDefinition<Fields extends TProperties> {
  (fields: Static<TObject<Fields>>): LoggedEvent;
  readonly type: string;
  readonly op: string | undefined;
  readonly schema: TObject;
}

/** An event type of any kind, as lists of them hold it. */
export type AnyEvent = Pick<EventDefinition<TProperties>, "type" | "op" | "schema">;

/** Whether a value that a module exports declares an event. */
export const isEventDefinition = (value: unknown): value is AnyEvent =>
  typeof value === "function" && "schema" in value && "type" in value;

/**
 * Declares an event once. `fields` are those beside `type`, `op` and `id`; `shown` are what clients
 * get in their place, where a presenter writes the event anew.
 */
export function event<Fields extends TProperties>(
  type: string,
  op: string | undefined,
  fields: Fields,
  shown: TProperties = fields,
): EventDefinition<Fields> {
  const construct = (values: Static<TObject<Fields>>): LoggedEvent =>
    op === undefined ? { type, ...values } : { type, op, ...values };
  return Object.assign(construct, { type, op, schema: Type.Object(shown) });
}
