import { type Endpoint, endpoint } from "../http/endpoint";
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
    takesFiles: true,
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
    path: "/user_avatars/{realm_id_str}/emoji/images/{filename}",
    summary: "The picture of an emoji.",
    who: "anyone",
    takesRest: true,
    input: GetEmojiImage,
    verb: getEmojiImage,
  }),
];
