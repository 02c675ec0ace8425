import { endpoint, file, picture, redirect } from "../../core/endpoint";
import {
  FindAvatar,
  findAvatar,
  findMediumAvatar,
  GetPicture,
  getAvatarFile,
  getGeneratedPicture,
} from "./read";
import { ChangeAvatar, removeAvatar, ShownAvatar, uploadAvatar } from "./service";

/** Expensive because a picture takes a core for up to a second. */
const uploadCost = () => 20;

export const avatarEndpoints = [
  endpoint({
    method: "POST",
    path: "/users/me/avatar",
    summary: "Gives the user who asks a picture, the one file of a multipart form.",
    who: "user",
    body: picture(({ maxAvatarFileSizeMib }) => maxAvatarFileSizeMib),
    cost: uploadCost,
    input: ChangeAvatar,
    output: ShownAvatar,
    verb: uploadAvatar,
  }),
  endpoint({
    method: "DELETE",
    path: "/users/me/avatar",
    summary: "Removes the picture of the user who asks.",
    who: "user",
    input: ChangeAvatar,
    output: ShownAvatar,
    verb: removeAvatar,
  }),
];

/** Pages that serve avatars. */
export const avatarPages = [
  endpoint({
    method: "GET",
    path: "/avatar/{user}",
    summary: "Leads to the picture of a user.",
    who: "spectator",
    input: FindAvatar,
    output: redirect,
    verb: findAvatar,
  }),
  endpoint({
    method: "GET",
    path: "/avatar/{user}/medium",
    summary: "Leads to the larger picture of a user.",
    who: "spectator",
    input: FindAvatar,
    output: redirect,
    verb: findMediumAvatar,
  }),
  endpoint({
    method: "GET",
    path: "/user_avatars/{realm_id_str}/{filename}",
    summary: "An uploaded picture of a user.",
    who: "anyone",
    isPicture: true,
    input: GetPicture,
    output: file("image/png", "image/webp"),
    verb: getAvatarFile,
  }),
  endpoint({
    method: "GET",
    path: "/user_avatars/{realm_id_str}/generated/{filename}",
    summary: "A picture that is drawn from its address.",
    who: "anyone",
    isPicture: true,
    input: GetPicture,
    output: file("image/png"),
    verb: getGeneratedPicture,
  }),
];
