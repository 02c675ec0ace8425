import { auditReasons, notAudited } from "../../core/audit";
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
    summary: "Sets your avatar, the only file of a multipart form.",
    who: "user",
    audit: notAudited(auditReasons.oneself),
    body: picture(({ maxAvatarFileSizeMib }) => maxAvatarFileSizeMib),
    cost: uploadCost,
    input: ChangeAvatar,
    output: ShownAvatar,
    verb: uploadAvatar,
  }),
  endpoint({
    method: "DELETE",
    path: "/users/me/avatar",
    summary: "Removes your avatar.",
    who: "user",
    audit: notAudited(auditReasons.oneself),
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
    summary: "Redirects to the avatar of a user.",
    who: "spectator",
    input: FindAvatar,
    output: redirect,
    verb: findAvatar,
  }),
  endpoint({
    method: "GET",
    path: "/avatar/{user}/medium",
    summary: "Redirects to the larger avatar of a user.",
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
    summary: "A generated picture, whose address has its seed.",
    who: "anyone",
    isPicture: true,
    input: GetPicture,
    output: file("image/png"),
    verb: getGeneratedPicture,
  }),
];
