import { alertWordEndpoints } from "./alert-words/routes";
import { authEndpoints, loginPages } from "./auth/routes";
import { botEndpoints } from "./bots/routes";
import { channelsEndpoints } from "./channels/routes";
import type { App } from "./core/context";
import { eventEndpoints } from "./events/routes";
import type { Endpoint } from "./http/endpoint";
import { type HttpServer, serveHttp } from "./http/serve";
import { messageEndpoints } from "./messages/routes";
import { reactionEndpoints } from "./reactions/routes";
import { realmEndpoints } from "./realm/routes";
import { settingsEndpoints } from "./settings/routes";
import { subscriptionsEndpoints } from "./subscriptions/routes";
import { topicEndpoints } from "./topics/routes";
import { typingEndpoints } from "./typing/routes";
import { filePages, uploadEndpoints } from "./uploads/routes";
import { userGroupEndpoints } from "./user-groups/routes";
import { userTopicEndpoints } from "./user-topics/routes";
import { userEndpoints } from "./users/routes";

/** Everything that can be asked of the server. */
export const endpoints: Endpoint[] = [
  ...authEndpoints,
  ...eventEndpoints,
  ...messageEndpoints,
  ...reactionEndpoints,
  ...typingEndpoints,
  ...topicEndpoints,
  ...userTopicEndpoints,
  ...alertWordEndpoints,
  ...subscriptionsEndpoints,
  ...channelsEndpoints,
  ...userGroupEndpoints,
  ...userEndpoints,
  ...botEndpoints,
  ...uploadEndpoints,
  ...realmEndpoints,
  ...settingsEndpoints,
];

/** What is opened below the root of the address, by people's browsers too. */
export const rootEndpoints: Endpoint[] = [...loginPages, ...filePages];

/** Listens for requests to an app. */
export const serve = (app: App): Promise<HttpServer> => serveHttp(app, endpoints, rootEndpoints);
