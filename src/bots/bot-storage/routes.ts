import { notAudited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import {
  BotStorage,
  GetBotStorage,
  getBotStorage,
  RemoveBotStorage,
  removeBotStorage,
  UpdateBotStorage,
  updateBotStorage,
} from "./service";

export const botStorageEndpoints = [
  endpoint({
    method: "GET",
    path: "/bot_storage",
    summary: "Shows the entries of a bot's storage.",
    who: "user",
    callers: "bots",
    input: GetBotStorage,
    output: BotStorage,
    verb: getBotStorage,
  }),
  endpoint({
    method: "PUT",
    path: "/bot_storage",
    summary: "Stores texts by key, for a bot.",
    who: "user",
    audit: notAudited("a bot's storage is its own"),
    callers: "bots",
    input: UpdateBotStorage,
    output: noFields,
    verb: updateBotStorage,
  }),
  endpoint({
    method: "DELETE",
    path: "/bot_storage",
    summary: "Removes entries of a bot's storage.",
    who: "user",
    audit: notAudited("a bot's storage is its own"),
    callers: "bots",
    input: RemoveBotStorage,
    output: noFields,
    verb: removeBotStorage,
  }),
];
