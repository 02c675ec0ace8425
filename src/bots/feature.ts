import { feature } from "../core/manifest";
import * as botEvents from "../people/bots/events";
import { makeBotPresenter } from "./presenter";
import { botEndpoints } from "./routes";
import { botStates } from "./state";

/** Bots and their owners. */
export const botFeature = feature({
  name: "bots",
  endpoints: botEndpoints,
  state: botStates,
  events: [botEvents],
  presenters: ({ reader, secrets, clock }) => [
    ["realm_bot", makeBotPresenter(reader, secrets, clock)],
  ],
});
