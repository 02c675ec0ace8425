import { type Static, type TObject, type TProperties, Type } from "@sinclair/typebox";
import type { LoggedEvent } from "../core/context";

/** An event type declared: the constructor of its events, with the schema of what it makes. */
export interface EventDefinition<Fields extends TProperties> {
  (fields: Static<TObject<Fields>>): LoggedEvent;
  readonly type: string;
  readonly op: string | undefined;
  readonly schema: TObject<Fields>;
}

/** Declares an event once. `fields` are those beside `type`, `op` and `id`. */
export function event<Fields extends TProperties>(
  type: string,
  op: string | undefined,
  fields: Fields,
): EventDefinition<Fields> {
  const construct = (values: Static<TObject<Fields>>): LoggedEvent =>
    op === undefined ? { type, ...values } : { type, op, ...values };
  return Object.assign(construct, { type, op, schema: Type.Object(fields) });
}
