import { type Endpoint, endpoint, picture } from "../http/endpoint";
import { GetEmojiNames, getEmojiNames } from "./names";
import {
  AddRealmEmoji,
  addRealmEmoji,
  GetEmojiImage,
  getEmojiImage,
  getRealmEmoji,
  ListRealmEmoji,
  RemoveRealmEmoji,
  removeRealmEmoji,
} from "./service";

const emojiMibMax = 5;
const path = "/realm/emoji/{emoji_name}";

export const realmEmojiEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/realm/emoji",
    summary: "Lists the organization's own emoji.",
    who: "user",
    input: ListRealmEmoji,
    verb: getRealmEmoji,
  }),
  endpoint({
    method: "POST",
    path,
    summary: "Adds an emoji, with its picture as the one file of a multipart form.",
    who: "user",
    callers: "people",
    body: picture(() => emojiMibMax),
    input: AddRealmEmoji,
    verb: addRealmEmoji,
  }),
  endpoint({
    method: "DELETE",
    path,
    summary: "Deactivates an emoji.",
    who: "user",
    input: RemoveRealmEmoji,
    verb: removeRealmEmoji,
  }),
];

/** Where emoji lead to their pictures. */
export const emojiPages: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/emoji/names.json",
    summary: "The names of the emoji that everybody has.",
    who: "anyone",
    input: GetEmojiNames,
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
    verb: getEmojiImage,
  }),
];
