import { feature } from "../../core/manifest";
import * as savedSnippetEvents from "./events";
import { savedSnippetEndpoints } from "./routes";
import { savedSnippetsState } from "./state";

/** Snippets of text that people save. */
export const savedSnippetFeature = feature({
  name: "saved snippets",
  endpoints: savedSnippetEndpoints,
  state: [savedSnippetsState],
  events: [savedSnippetEvents],
});
