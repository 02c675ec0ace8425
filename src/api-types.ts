import type { Static, TObject } from "@sinclair/typebox";
import type { EventDefinition } from "./events/define";
import type { features } from "./features";
import type { endpoints } from "./server";

type Declarations = (typeof endpoints)[number];
type ApiMethod = Declarations["method"];
export type ApiPath<Method extends ApiMethod> = Extract<Declarations, { method: Method }>["path"];

/**
 * The members of an endpoint's answer, without the envelope's, for clients in TypeScript:
 * `AnswerTo<"GET", "/users/me">`. It is a type alone: to import it loads nothing of the server.
 */
export type AnswerTo<Method extends ApiMethod, Path extends ApiPath<Method>> =
  Extract<Declarations, { method: Method; path: Path }> extends {
    output: infer Out extends TObject;
  }
    ? Static<Out>
    : never;

type EventModules = NonNullable<(typeof features)[number]["events"]>[number];
type ValuesOfEach<Modules> = Modules extends unknown ? Modules[keyof Modules] : never;

type Arriving<Declared> =
  Declared extends EventDefinition<infer _Fields, infer Shown, infer Name, infer Op>
    ? { id: number; type: Name } & (Op extends string ? { op: Op } : unknown) &
        Static<TObject<Shown>>
    : never;

/** An event that a poll may bring, as the features declare them: `type` and `op` tell which. */
export type ArrivingEvent = Arriving<ValuesOfEach<EventModules>>;
