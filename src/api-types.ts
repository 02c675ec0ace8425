import type { Static, TObject } from "@sinclair/typebox";
import type { endpoints } from "./server";

type Declarations = (typeof endpoints)[number];
export type ApiMethod = Declarations["method"];
export type ApiPath<Method extends ApiMethod> = Extract<Declarations, { method: Method }>["path"];

/**
 * The members of an endpoint's answer beside the envelope's, for clients in TypeScript:
 * `AnswerTo<"GET", "/users/me">`. It is a type alone: to import it loads nothing of the server.
 */
export type AnswerTo<Method extends ApiMethod, Path extends ApiPath<Method>> =
  Extract<Declarations, { method: Method; path: Path }> extends {
    output: infer Out extends TObject;
  }
    ? Static<Out>
    : never;
