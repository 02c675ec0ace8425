import { type Endpoint, endpoint } from "../http/endpoint";
import { showLoginLink, UseLoginLink, useLoginLink } from "./login-links";
import { FetchApiKey, fetchApiKey } from "./password-sign-in";
import { GetServerSettings, getServerSettings } from "./server-settings";

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

/** What people open in a browser to sign in. */
export const loginPages: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/login/link/{token}",
    summary: "Shows a login link, without using it.",
    who: "anyone",
    input: UseLoginLink,
    verb: showLoginLink,
  }),
  endpoint({
    method: "POST",
    path: "/login/link/{token}",
    summary: "Uses a login link and shows a new API key.",
    who: "anyone",
    input: UseLoginLink,
    verb: useLoginLink,
  }),
];
