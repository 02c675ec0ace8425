import { type Static, type TObject, type TProperties, Type } from "@sinclair/typebox";
import type { LoggedEvent } from "../core/context";

/** A declared event type: the constructor of its events, with the schema for clients. */
export interface EventDefinition<
  Fields extends TProperties = TProperties,
  Shown extends TProperties = TProperties,
  Name extends string = string,
  Op extends string | undefined = string | undefined,
> {
  (fields: Static<TObject<Fields>>): LoggedEvent;
  readonly type: Name;
  readonly op: Op;
  readonly schema: TObject<Shown>;
}

/** An event type of any kind, for lists of them. */
export type AnyEvent = Pick<EventDefinition, "type" | "op"> & { readonly schema: TObject };

/** Whether an exported value of a module declares an event. */
export const isEventDefinition = (value: unknown): value is AnyEvent =>
  typeof value === "function" && "schema" in value && "type" in value;

/** Declares an event once. `fields` are those other than `type`, `op` and `id`. */
export function event<
  Fields extends TProperties,
  const Name extends string,
  const Op extends string | undefined,
>(type: Name, op: Op, fields: Fields): EventDefinition<Fields, Fields, Name, Op>;

/**
 * Declares an event that a presenter changes before clients get it. `shown` are the fields that
 * clients get.
 */
export function event<
  Fields extends TProperties,
  Shown extends TProperties,
  const Name extends string,
  const Op extends string | undefined,
>(type: Name, op: Op, fields: Fields, shown: Shown): EventDefinition<Fields, Shown, Name, Op>;

export function event(
  type: string,
  op: string | undefined,
  fields: TProperties,
  shown: TProperties = fields,
): EventDefinition {
  const construct = (values: Static<TObject>): LoggedEvent =>
    op === undefined ? { type, ...values } : { type, op, ...values };
  return Object.assign(construct, { type, op, schema: Type.Object(shown) });
}
