import { feature } from "../../core/manifest";
import * as realmEmojiEvents from "../../realm/realm-emoji/events";
import { makeRealmEmojiPresenter } from "../../realm/realm-emoji/presenter";
import { realmEmojiState } from "../../realm/realm-emoji/state";
import { emojiPages, realmEmojiEndpoints } from "./routes";

/** Emoji of the organization. */
export const realmEmojiFeature = feature({
  name: "realm emoji",
  endpoints: realmEmojiEndpoints,
  pages: emojiPages,
  state: [realmEmojiState],
  events: [realmEmojiEvents],
  presenters: ({ reader }) => [["realm_emoji", makeRealmEmojiPresenter(reader)]],
});
