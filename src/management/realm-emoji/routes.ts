import { audited } from "../../core/audit";
import { endpoint, file, noFields, picture } from "../../core/endpoint";
import { GetEmojiNames, getEmojiNames } from "../../realm/realm-emoji/names";
import {
  AddRealmEmoji,
  addRealmEmoji,
  GetEmojiImage,
  getEmojiImage,
  getRealmEmoji,
  ListRealmEmoji,
  RealmEmojiList,
  RemoveRealmEmoji,
  removeRealmEmoji,
} from "./service";

export const emojiMibMax = 5;
const path = "/realm/emoji/{emoji_name}";

export const realmEmojiEndpoints = [
  endpoint({
    method: "GET",
    path: "/realm/emoji",
    summary: "Lists the organization's own emoji.",
    who: "user",
    input: ListRealmEmoji,
    output: RealmEmojiList,
    verb: getRealmEmoji,
  }),
  endpoint({
    method: "POST",
    path,
    audit: audited("emoji.add"),
    summary: "Adds an emoji, with its picture as the only file of a multipart form.",
    who: "user",
    callers: "people",
    body: picture(() => emojiMibMax),
    input: AddRealmEmoji,
    output: noFields,
    verb: addRealmEmoji,
  }),
  endpoint({
    method: "DELETE",
    path,
    audit: audited("emoji.remove"),
    summary: "Deactivates an emoji.",
    who: "user",
    input: RemoveRealmEmoji,
    output: noFields,
    verb: removeRealmEmoji,
  }),
];

/** Pages that serve emoji. */
export const emojiPages = [
  endpoint({
    method: "GET",
    path: "/emoji/names.json",
    summary: "The names of the built-in emoji.",
    who: "anyone",
    input: GetEmojiNames,
    output: file("application/json"),
    verb: getEmojiNames,
  }),
  endpoint({
    method: "GET",
    path: "/user_avatars/{realm_id_str}/emoji/images/{filename}",
    summary: "The picture of an emoji.",
    who: "anyone",
    isPicture: true,
    takesRest: true,
    input: GetEmojiImage,
    output: file("image/png", "image/gif"),
    verb: getEmojiImage,
  }),
];
