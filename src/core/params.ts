import { type Static, type TSchema, Type } from "@sinclair/typebox";

/** The words that inputs are declared with; see the decoder in `http/decode.ts` for how they look on the wire. */

export const id = () => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
export const integer = (range: { minimum?: number; maximum?: number; default?: number } = {}) =>
  Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, ...range });
export const flag = () => Type.Boolean();
export const text = () => Type.String();
export const ids = () => Type.Array(id(), { maxItems: 10_000 });
/** JSON null, where a client says that it gives nothing. */
export const nothing = () => Type.Null();
export const texts = () => Type.Array(Type.String(), { maxItems: 10_000 });
/** Any JSON: looked at by the verb itself. */
export const json = () => Type.Unknown();

export const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema);

/** One of a few words. */
export function word<const Words extends string[]>(...words: Words) {
  return Type.Unsafe<Words[number]>(Type.String({ enum: words }));
}

export const either = <Schemas extends TSchema[]>(...schemas: [...Schemas]) => Type.Union(schemas);

export const record = Type.Object;
export type Input<Schema extends TSchema> = Static<Schema>;
