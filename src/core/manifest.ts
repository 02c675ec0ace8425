import type { Reader } from "../../db/reader";
import type { AnyJob } from "../jobs/define";
import type { Clock } from "./clock";
import type { App, RealmRow } from "./context";
import type { Endpoint } from "./endpoint";
import type { Presenter } from "./event-hub";
import type { Secrets } from "./secrets";
import type { StateLoader } from "./state";

/** Parts of the server that presenters are made of, which exist before the app does. */
export interface PresenterParts {
  readonly reader: Reader;
  readonly secrets: Secrets;
  readonly clock: Clock;
  realmOf(realmId: number): Promise<RealmRow>;
}

/**
 * Work that goes on in the background of a server, at its start, each second or each minute, and is
 * not begun again while it goes on. No other work waits for it.
 */
export interface BackgroundTask {
  /** Name in the log, where a failure is told as `<name>_failed`. */
  readonly name: string;
  readonly at: readonly ("start" | "second" | "minute")[];
  /** Makes the function that is run each time; it stops early once the server `isEnding`. */
  make(app: App, isEnding: () => boolean): () => Promise<void>;
}

/** Parts of a feature that the server is put together of; each may be left out. */
export interface Feature<
  Name extends string = string,
  One extends Endpoint = Endpoint,
  State extends StateLoader = StateLoader,
  Events = Readonly<Record<string, unknown>>,
> {
  /** Noun that the feature is about, which is no other's; the API lists events in its order. */
  readonly name: Name;
  /** Endpoints below `/api/v1`. */
  readonly endpoints?: readonly One[];
  /** Endpoints below the root of the address, which people's browsers open too. */
  readonly pages?: readonly Endpoint[];
  /** State that `register` answers. */
  readonly state?: readonly State[];
  /** Modules of the feature's events: each event that one exports is announced to clients. */
  readonly events?: readonly Events[];
  /** Presenters of those events that clients get in forms of their own, by the event's type. */
  presenters?(parts: PresenterParts): Iterable<readonly [string, Presenter]>;
  /** Kinds of durable background work. */
  readonly jobs?: readonly AnyJob[];
  /** Functions that remove what is out of date, of these realms: run each minute, one by one. */
  readonly tidying?: readonly ((app: App, realmIds: readonly number[]) => Promise<void>)[];
  readonly tasks?: readonly BackgroundTask[];
  /** Function that runs once the data is open, before anything is answered. */
  opened?(app: App): Promise<void>;
}

/**
 * Declares a feature: its manifest, which stands in the feature's `feature.ts` and is listed in
 * `src/features.ts`. The manifest is the one door by which the server reaches the feature; whatever
 * it does not name is not part of the server.
 */
export const feature = <
  const Name extends string,
  One extends Endpoint = never,
  State extends StateLoader = never,
  Events extends Readonly<Record<string, unknown>> = never,
>(
  manifest: Feature<Name, One, State, Events>,
): Feature<Name, One, State, Events> => manifest;
