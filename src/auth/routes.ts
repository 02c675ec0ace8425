import { type Endpoint, endpoint } from "../http/endpoint";
import { GetServerSettings, getServerSettings } from "./server-settings";
import { FetchApiKey, fetchApiKey } from "./sign-in";

export const authEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/fetch_api_key",
    summary: "Signs in with an e-mail address and a password and answers a new API key.",
    who: "anyone",
    input: FetchApiKey,
    verb: fetchApiKey,
  }),
  endpoint({
    method: "GET",
    path: "/server_settings",
    summary: "Tells which server and organization this is and how to sign in.",
    who: "anyone",
    input: GetServerSettings,
    verb: getServerSettings,
  }),
];
