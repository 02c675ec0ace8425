import { type Endpoint, endpoint, picture } from "../http/endpoint";
import { GetBotApiKey, getBotApiKey, regenerateBotApiKey } from "./api-key";
import { DeactivateBot, deactivateBot } from "./deactivate";
import { GetBots, getBots } from "./list";
import { CreateBot, createOwnBot } from "./service";
import { UpdateBot, updateBot } from "./update";

export const botEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/bots",
    summary: "Lists one's own active bots with their API keys.",
    who: "nonGuest",
    callers: "people",
    input: GetBots,
    verb: getBots,
  }),
  endpoint({
    method: "POST",
    path: "/bots",
    summary: "Adds a bot of one's own.",
    who: "nonGuest",
    callers: "people",
    body: picture(({ maxAvatarFileSizeMib }) => maxAvatarFileSizeMib),
    input: CreateBot,
    verb: createOwnBot,
  }),
  endpoint({
    method: "PATCH",
    path: "/bots/{bot_id}",
    summary: "Changes a bot, for its owner and for administrators.",
    who: "nonGuest",
    callers: "people",
    body: picture(({ maxAvatarFileSizeMib }) => maxAvatarFileSizeMib),
    input: UpdateBot,
    verb: updateBot,
  }),
  endpoint({
    method: "DELETE",
    path: "/bots/{bot_id}",
    summary: "Deactivates a bot, for its owner and for administrators.",
    who: "user",
    input: DeactivateBot,
    verb: deactivateBot,
  }),
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
    callers: "people",
    input: GetBotApiKey,
    verb: regenerateBotApiKey,
  }),
];
