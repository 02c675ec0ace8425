import { audited } from "../core/audit";
import { endpoint, noFields, picture } from "../core/endpoint";
import { BotApiKey, GetBotApiKey, getBotApiKey, regenerateBotApiKey } from "./api-key";
import { DeactivateBot, deactivateBot } from "./deactivate";
import { BotList, GetBots, getBots } from "./list";
import { AddedBot, CreateBot, createOwnBot } from "./service";
import { UpdateBot, UpdatedBot, updateBot } from "./update";

export const botEndpoints = [
  endpoint({
    method: "GET",
    path: "/bots",
    summary: "Lists your active bots with their API keys.",
    who: "nonGuest",
    callers: "people",
    input: GetBots,
    output: BotList,
    verb: getBots,
  }),
  endpoint({
    method: "POST",
    path: "/bots",
    summary: "Adds a bot of yours.",
    who: "nonGuest",
    audit: audited("bot.create"),
    callers: "people",
    body: picture(({ maxAvatarFileSizeMib }) => maxAvatarFileSizeMib),
    input: CreateBot,
    output: AddedBot,
    verb: createOwnBot,
  }),
  endpoint({
    method: "PATCH",
    path: "/bots/{bot_id}",
    summary: "Changes a bot, for its owner and for administrators.",
    who: "nonGuest",
    audit: audited("bot.update"),
    callers: "people",
    body: picture(({ maxAvatarFileSizeMib }) => maxAvatarFileSizeMib),
    input: UpdateBot,
    output: UpdatedBot,
    verb: updateBot,
  }),
  endpoint({
    method: "DELETE",
    path: "/bots/{bot_id}",
    summary: "Deactivates a bot, for its owner and for administrators.",
    who: "user",
    audit: audited("user.deactivate"),
    input: DeactivateBot,
    output: noFields,
    verb: deactivateBot,
  }),
  endpoint({
    method: "GET",
    path: "/bots/{bot_id}/api_key",
    summary: "Shows the API key of a bot to its owner and to administrators.",
    who: "user",
    input: GetBotApiKey,
    output: BotApiKey,
    verb: getBotApiKey,
  }),
  endpoint({
    method: "POST",
    path: "/bots/{bot_id}/api_key/regenerate",
    summary: "Gives a bot a new API key.",
    who: "nonGuest",
    audit: audited("api_key.renew"),
    callers: "people",
    input: GetBotApiKey,
    output: BotApiKey,
    verb: regenerateBotApiKey,
  }),
];
