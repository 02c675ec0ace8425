import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

const orNull = (schema: ReturnType<typeof Type.Integer> | ReturnType<typeof Type.String>) =>
  Type.Union([schema, Type.Null()]);

const Export = Type.Object({
  id: Type.Integer(),
  acting_user_id: Type.Integer(),
  export_time: Type.Integer(),
  export_type: Type.String(),
  deleted_timestamp: orNull(Type.Integer()),
  failed_timestamp: orNull(Type.Integer()),
  export_url: orNull(Type.String()),
  pending: Type.Boolean(),
});

/** The organization's exports are others than before: all of them. */
export const exportsChanged = event("realm_export", undefined, { exports: Type.Array(Export) });
