import { audited } from "../../core/audit";
import { endpoint, file, noFields, picture, redirect } from "../../core/endpoint";
import {
  findIcon,
  findLogo,
  GetRealmPicture,
  getRealmPicture,
  Icon,
  IconAddress,
  Logo,
  removeIcon,
  removeLogo,
  uploadIcon,
  uploadLogo,
} from "./service";

export const realmPictureEndpoints = [
  endpoint({
    method: "POST",
    path: "/realm/icon",
    summary: "Sets the organization's icon, the only file of a multipart form.",
    who: "administrator",
    audit: audited("realm.update_picture"),
    body: picture(({ maxIconFileSizeMib }) => maxIconFileSizeMib),
    input: Icon,
    output: IconAddress,
    verb: uploadIcon,
  }),
  endpoint({
    method: "DELETE",
    path: "/realm/icon",
    summary: "Removes the organization's icon.",
    who: "administrator",
    audit: audited("realm.update_picture"),
    input: Icon,
    output: IconAddress,
    verb: removeIcon,
  }),
  endpoint({
    method: "GET",
    path: "/realm/icon",
    summary: "Redirects to the organization's icon.",
    who: "user",
    input: Icon,
    output: redirect,
    verb: findIcon,
  }),
  endpoint({
    method: "POST",
    path: "/realm/logo",
    summary:
      "Sets the organization's logo for light or dark screens, the only file of a multipart form.",
    who: "administrator",
    audit: audited("realm.update_picture"),
    body: picture(({ maxLogoFileSizeMib }) => maxLogoFileSizeMib),
    input: Logo,
    output: noFields,
    verb: uploadLogo,
  }),
  endpoint({
    method: "DELETE",
    path: "/realm/logo",
    summary: "Removes a logo of the organization.",
    who: "administrator",
    audit: audited("realm.update_picture"),
    input: Logo,
    output: noFields,
    verb: removeLogo,
  }),
  endpoint({
    method: "GET",
    path: "/realm/logo",
    summary: "Redirects to a logo of the organization.",
    who: "user",
    input: Logo,
    output: redirect,
    verb: findLogo,
  }),
];

/** Pages that serve icon and logos. */
export const realmPicturePages = [
  endpoint({
    method: "GET",
    path: "/user_avatars/{realm_id_str}/realm/{filename}",
    summary: "The icon or a logo of the organization.",
    who: "anyone",
    isPicture: true,
    input: GetRealmPicture,
    output: file("image/png"),
    verb: getRealmPicture,
  }),
];
