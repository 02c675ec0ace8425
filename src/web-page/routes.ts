import { endpoint, file, page } from "../core/endpoint";
import { GetWebFile, getWebFile } from "./files";
import { GetManifest, getManifest } from "./manifest";
import { OpenWebPage, openWebPage } from "./page";
import { GetServiceWorker, getServiceWorker } from "./worker";

export const webPages = [
  endpoint({
    method: "GET",
    path: "/",
    summary: "Shows the web client to who is signed in.",
    who: "user",
    callers: "people",
    input: OpenWebPage,
    output: page,
    verb: openWebPage,
  }),
  endpoint({
    method: "GET",
    path: "/static/web/{name}",
    summary: "Answers a file of the web client.",
    who: "anyone",
    isPicture: true,
    input: GetWebFile,
    output: file("text/javascript", "text/css", "application/json"),
    verb: getWebFile,
  }),
  endpoint({
    method: "GET",
    path: "/service-worker.js",
    summary: "Answers the service worker of the web client, which shows notifications.",
    who: "anyone",
    isPicture: true,
    input: GetServiceWorker,
    output: file("text/javascript"),
    verb: getServiceWorker,
  }),
  endpoint({
    method: "GET",
    path: "/manifest.webmanifest",
    summary: "Describes the organization as an app that a browser can install.",
    who: "anyone",
    isPicture: true,
    input: GetManifest,
    output: file("application/manifest+json"),
    verb: getManifest,
  }),
];
