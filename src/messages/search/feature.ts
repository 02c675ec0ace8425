import { feature } from "../../core/manifest";
import { makeIndexing } from "./indexing";

/** Search: the index of words, which is updated in the background. */
export const searchFeature = feature({
  name: "search",
  tasks: [{ name: "indexing", at: ["second"], make: makeIndexing }],
});
