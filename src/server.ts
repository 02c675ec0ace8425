import type { Config } from "./config/config";
import type { App } from "./core/context";
import type { Log } from "./core/log";
import { eventCatalog } from "./event-catalog";
import { features } from "./features";
import type { Tls } from "./http/listeners";
import { describeEvents } from "./http/openapi";
import type { Site } from "./http/pages";
import { type HttpServer, type Listening, listen, serveHttp } from "./http/serve";
import type { TrafficWatch } from "./http/traffic";
import { remoteRefusal } from "./moving/fixtures/local-only";
import { eventEndpoints } from "./register/routes";
import { stateKeys } from "./state-catalog";
import { currentBuildId } from "./web-page/files";

type AnyFeature = (typeof features)[number];
type AnyEndpoint = NonNullable<AnyFeature["endpoints"]>[number];

const endpointsOf = (some: readonly AnyFeature[]) =>
  some.flatMap<AnyEndpoint>(({ endpoints: its = [] }) => its);

const pagesOf = (some: readonly AnyFeature[]) => some.flatMap(({ pages = [] }) => pages);

/** The API's description begins with signing in, followed by event queues. */
const [signingIn, ...rest] = features;
const others = rest.filter(({ isOfFixture }) => !isOfFixture);
const ofFixture = rest.filter(({ isOfFixture }) => isOfFixture);

/**
 * All endpoints of the API. The endpoints of event queues are made here, because they answer with
 * the state and the events of all features.
 */
export const endpoints = [
  ...endpointsOf([signingIn]),
  ...eventEndpoints(stateKeys, describeEvents(eventCatalog)),
  ...endpointsOf(others),
];

/** Endpoints below the root of the address, which people's browsers open too. */
export const rootEndpoints = pagesOf([signingIn, ...others]);

const site: Site = { endpoints, atRoot: rootEndpoints, buildId: currentBuildId };

/** Endpoints of a throwaway server with a fixture. */
const siteWithFixture: Site = {
  ...site,
  endpoints: [...endpoints, ...endpointsOf(ofFixture)],
  atRoot: [...rootEndpoints, ...pagesOf(ofFixture)],
  refusalOf: remoteRefusal,
};

interface Wanted {
  log: Log;
  watch?: TrafficWatch | undefined;
  tls?: Tls | undefined;
  /** Whether it has the endpoints of a fixture, which let everybody in. */
  hasFixture?: boolean;
}

/** Takes the port that a configuration names. Requests to it wait until the server is opened. */
export const listenAt = (
  config: Config,
  { log, watch, tls, hasFixture = false }: Wanted,
): Promise<HttpServer> =>
  listen(config, hasFixture ? siteWithFixture : site, { log, watch, ...(tls && { tls }) });

/** Listens for requests to an app. */
export const serve = (app: App, listening?: Listening): Promise<HttpServer> =>
  serveHttp(app, site, listening);
