import { endpoint, file, page } from "../core/endpoint";
import { GetWebFile, getWebFile } from "./files";
import { OpenWebPage, openWebPage } from "./page";

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
];
