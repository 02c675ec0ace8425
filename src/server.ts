import { authEndpoints } from "./auth/routes";
import { channelsEndpoints } from "./channels/routes";
import type { App } from "./core/context";
import { eventEndpoints } from "./events/routes";
import type { Endpoint } from "./http/endpoint";
import { type HttpServer, serveHttp } from "./http/serve";
import { messageEndpoints } from "./messages/routes";
import { reactionEndpoints } from "./reactions/routes";
import { subscriptionsEndpoints } from "./subscriptions/routes";
import { topicEndpoints } from "./topics/routes";
import { typingEndpoints } from "./typing/routes";
import { userGroupEndpoints } from "./user-groups/routes";
import { userEndpoints } from "./users/routes";

/** Everything that can be asked of the server. */
export const endpoints: Endpoint[] = [
  ...authEndpoints,
  ...eventEndpoints,
  ...messageEndpoints,
  ...reactionEndpoints,
  ...typingEndpoints,
  ...topicEndpoints,
  ...subscriptionsEndpoints,
  ...channelsEndpoints,
  ...userGroupEndpoints,
  ...userEndpoints,
];

/** Listens for requests to an app. */
export const serve = (app: App): Promise<HttpServer> => serveHttp(app, endpoints);
