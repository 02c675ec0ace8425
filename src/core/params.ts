import { type Static, type TSchema, Type } from "@sinclair/typebox";

/**
 * Schemas for inputs and answers; the decoder in `http/decode.ts` explains how inputs look on the
 * wire.
 */

export const id = () => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
export const integer = (range: { minimum?: number; maximum?: number; default?: number } = {}) =>
  Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, ...range });
/** A number that may have a fraction. */
export const number = (range: { minimum?: number } = {}) =>
  Type.Number({ maximum: Number.MAX_SAFE_INTEGER, ...range });
export const flag = () => Type.Boolean();
export const text = () => Type.String();
export const ids = () => Type.Array(id(), { maxItems: 10_000 });
export const integers = () => Type.Array(integer(), { maxItems: 10_000 });
/** JSON null, by which a client says that it gives no value. */
export const nothing = () => Type.Null();
export const texts = () => Type.Array(Type.String(), { maxItems: 10_000 });
/** Any JSON, which the verb itself checks. */
export const json = () => Type.Unknown();

/**
 * JSON that `parse` checks and turns into the verb's value; it refuses other forms. It is called
 * once, where the request is read.
 */
export const parsedAs = <Value>(parse: (json: unknown) => Value) =>
  Type.Unsafe<Value>({ ...Type.Unknown(), [parsesWith]: parse });

/** Names the parser. The API's document leaves it out, because functions are no JSON. */
export const parsesWith = "x-parses-with";

export const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema);
/** A value, or JSON null where there is none. */
export const nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** One of a few words. */
export function word<const Words extends string[]>(...words: Words) {
  return Type.Unsafe<Words[number]>(Type.String({ enum: words }));
}

export const either = <Schemas extends TSchema[]>(...schemas: [...Schemas]) => Type.Union(schemas);

/**
 * One of several forms, one of which is plain text. JSON that has none of the other forms is
 * refused, where `either` takes it as text.
 */
export const eitherForm = <Schemas extends TSchema[]>(...schemas: [...Schemas]) =>
  Type.Union(schemas, { [refusesOtherJson]: true });

/** Appears in OpenAPI too, so it begins with `x-`, unlike OpenAPI's own keywords. */
export const refusesOtherJson = "x-refuses-other-json";

export const record = Type.Object;
export type Input<Schema extends TSchema> = Static<Schema>;
