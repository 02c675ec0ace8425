import type { Reader } from "../../db/reader";
import type { AnyJob } from "../jobs/define";
import type { Clock } from "./clock";
import type { App, RealmRow } from "./context";
import type { Endpoint } from "./endpoint";
import type { Presenter } from "./event-hub";
import type { Secrets } from "./secrets/secrets";
import type { StateLoader } from "./state";

/** Parts of the server that presenters need; they exist before the app does. */
interface PresenterParts {
  readonly reader: Reader;
  readonly secrets: Secrets;
  readonly clock: Clock;
  realmOf(realmId: number): Promise<RealmRow>;
}

/**
 * Background work of a server, run at its start, each second or each minute. A run is skipped while
 * the one before still goes on. No other work waits for it.
 */
export interface BackgroundTask {
  /** Name in the log, where a failure is `<name>_failed`. */
  readonly name: string;
  readonly at: readonly ("start" | "second" | "minute")[];
  /** Makes the function of one run; it stops early once the server `isEnding`. */
  make(app: App, isEnding: () => boolean): () => Promise<void>;
}

/** Parts of a feature that the server is assembled from; each may be left out. */
export interface Feature<
  Name extends string = string,
  One extends Endpoint = Endpoint,
  State extends StateLoader = StateLoader,
  Events = Readonly<Record<string, unknown>>,
> {
  /** Unique noun that the feature is about; the API lists events in the order of these names. */
  readonly name: Name;
  /** Endpoints below `/api/v1`. */
  readonly endpoints?: readonly One[];
  /** Endpoints below the root of the address, which browsers open as pages. */
  readonly pages?: readonly Endpoint[];
  /** State that `register` answers. */
  readonly state?: readonly State[];
  /**
   * Modules of the feature's events: every event that one of them exports is announced to clients.
   */
  readonly events?: readonly Events[];
  /** Presenters of events whose form differs between clients, by the event's type. */
  presenters?(parts: PresenterParts): Iterable<readonly [string, Presenter]>;
  /** Kinds of durable background work. */
  readonly jobs?: readonly AnyJob[];
  /** Functions that delete outdated data of these realms; run each minute, one after another. */
  readonly tidying?: readonly ((app: App, realmIds: readonly number[]) => Promise<void>)[];
  readonly tasks?: readonly BackgroundTask[];
  /** Only servers with a fixture have its endpoints and pages. */
  readonly isOfFixture?: true;
  /** Runs once the database is open, before the first request is answered. */
  opened?(app: App): Promise<void>;
}

/**
 * Declares a feature: its manifest, which stands in the feature's `feature.ts` and is listed in
 * `src/features.ts`. The server reaches a feature only through its manifest, so code that it does
 * not name is not part of the server.
 */
export const feature = <
  const Name extends string,
  One extends Endpoint = never,
  State extends StateLoader = never,
  Events extends Readonly<Record<string, unknown>> = never,
>(
  manifest: Feature<Name, One, State, Events>,
): Feature<Name, One, State, Events> => manifest;
