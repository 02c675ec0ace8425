import { type Endpoint, endpoint } from "../http/endpoint";
import {
  ChangePassword,
  changePassword,
  GetKey,
  getKey,
  LogOut,
  LogOutEverywhere,
  logOut,
  logOutEverywhere,
  ShowAccount,
  showAccount,
} from "./account";
import { LogIn, logIn, ShowLogin, ShowSession, showLogin, showSession } from "./browser";
import { showLoginLink, UseLoginLink, useLoginLink } from "./login-links";
import { AskForLink, askForLoginLink, askForReset, ShowReset, showResetForm } from "./mailed-links";
import { showReset, UseReset, useReset } from "./password-reset";
import { FetchApiKey, fetchApiKey } from "./password-sign-in";
import { RegenerateOwnApiKey, regenerateOwnApiKey } from "./regenerate-key";
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
    method: "POST",
    path: "/users/me/api_key/regenerate",
    summary: "Gives the person who asks a new API key and ends those that they had.",
    who: "user",
    input: RegenerateOwnApiKey,
    verb: regenerateOwnApiKey,
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

/** What people open in a browser: to sign in, to see to their account, and to sign out. */
export const loginPages: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/login",
    summary: "Asks for e-mail address and password.",
    who: "anyone",
    input: ShowLogin,
    verb: showLogin,
  }),
  endpoint({
    method: "POST",
    path: "/login",
    summary: "Signs a browser in.",
    who: "anyone",
    input: LogIn,
    verb: logIn,
  }),
  endpoint({
    method: "POST",
    path: "/logout",
    summary: "Signs a browser out.",
    who: "anyone",
    input: LogOut,
    verb: logOut,
  }),
  endpoint({
    method: "POST",
    path: "/logout/everywhere",
    summary: "Signs a person out of all browsers.",
    who: "anyone",
    input: LogOutEverywhere,
    verb: logOutEverywhere,
  }),
  endpoint({
    method: "GET",
    path: "/account",
    summary: "Shows people their account and how to connect clients.",
    who: "anyone",
    input: ShowAccount,
    verb: showAccount,
  }),
  endpoint({
    method: "POST",
    path: "/account/key",
    summary: "Shows a new API key to who gives their password.",
    who: "anyone",
    input: GetKey,
    verb: getKey,
  }),
  endpoint({
    method: "POST",
    path: "/account/password",
    summary: "Changes the password.",
    who: "anyone",
    input: ChangePassword,
    verb: changePassword,
  }),
  endpoint({
    method: "GET",
    path: "/account/session",
    summary: "Tells a script whose session it runs in, with the CSRF token.",
    who: "user",
    input: ShowSession,
    verb: showSession,
  }),
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
  endpoint({
    method: "POST",
    path: "/login/mail",
    summary: "Mails a login link to who has an address.",
    who: "anyone",
    input: AskForLink,
    verb: askForLoginLink,
  }),
  endpoint({
    method: "GET",
    path: "/password/reset",
    summary: "Asks for the address that a link to choose another password goes to.",
    who: "anyone",
    input: ShowReset,
    verb: showResetForm,
  }),
  endpoint({
    method: "POST",
    path: "/password/reset",
    summary: "Mails a link to choose another password to who has an address.",
    who: "anyone",
    input: AskForLink,
    verb: askForReset,
  }),
  endpoint({
    method: "GET",
    path: "/password/reset/{token}",
    summary: "Asks for another password, without using the link.",
    who: "anyone",
    input: UseReset,
    verb: showReset,
  }),
  endpoint({
    method: "POST",
    path: "/password/reset/{token}",
    summary: "Gives a person another password.",
    who: "anyone",
    input: UseReset,
    verb: useReset,
  }),
];
