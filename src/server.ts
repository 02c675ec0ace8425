import { states } from "./app";
import { authEndpoints } from "./auth/routes";
import { authenticate } from "./auth/sign-in";
import { channelsEndpoints } from "./channels/routes";
import type { App } from "./core/context";
import { eventEndpoints } from "./events/routes";
import type { Endpoint } from "./http/endpoint";
import { type HttpServer, serveHttp } from "./http/serve";
import { parseEventNarrow } from "./messages/narrow";
import { messageEndpoints } from "./messages/routes";
import { reactionEndpoints } from "./reactions/routes";
import { findRealmByHost, onlyRealm } from "./realm/queries";
import { subscriptionsEndpoints } from "./subscriptions/routes";
import { topicEndpoints } from "./topics/routes";
import { typingEndpoints } from "./typing/routes";
import { userGroupEndpoints } from "./user-groups/routes";
import { userEndpoints } from "./users/routes";

/** Everything that can be asked of the server. */
export const endpoints: Endpoint[] = [
  ...authEndpoints,
  ...eventEndpoints({ states, checkNarrow: parseEventNarrow }),
  ...messageEndpoints,
  ...reactionEndpoints,
  ...typingEndpoints,
  ...topicEndpoints,
  ...subscriptionsEndpoints,
  ...channelsEndpoints,
  ...userGroupEndpoints,
  ...userEndpoints,
];

/** A request for a host that nobody has goes to the only realm, where there is just one. */
async function findRealm({ engine }: App, host: string) {
  return (await findRealmByHost(engine.reader, host)) ?? (await onlyRealm(engine.reader));
}

/** Listens for requests to an app. */
export const serve = (app: App): Promise<HttpServer> => serveHttp(app, { findRealm, authenticate }, endpoints);
