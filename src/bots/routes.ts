import { type Endpoint, endpoint } from "../http/endpoint";
import { GetBotApiKey, getBotApiKey, regenerateBotApiKey } from "./api-key";

export const botEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/bots/{bot_id}/api_key",
    summary: "Shows the API key of a bot to its owner and to administrators.",
    who: "user",
    input: GetBotApiKey,
    verb: getBotApiKey,
  }),
  endpoint({
    method: "POST",
    path: "/bots/{bot_id}/api_key/regenerate",
    summary: "Gives a bot a new API key.",
    who: "nonGuest",
    input: GetBotApiKey,
    verb: regenerateBotApiKey,
  }),
];
