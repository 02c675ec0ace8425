import { type Endpoint, endpoint, picture } from "../http/endpoint";
import {
  findIcon,
  findLogo,
  GetRealmPicture,
  getRealmPicture,
  Icon,
  Logo,
  removeIcon,
  removeLogo,
  uploadIcon,
  uploadLogo,
} from "./service";

export const realmPictureEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/realm/icon",
    summary: "Gives the organization an icon, the one file of a multipart form.",
    who: "administrator",
    body: picture(({ maxIconFileSizeMib }) => maxIconFileSizeMib),
    input: Icon,
    verb: uploadIcon,
  }),
  endpoint({
    method: "DELETE",
    path: "/realm/icon",
    summary: "Removes the organization's icon.",
    who: "administrator",
    input: Icon,
    verb: removeIcon,
  }),
  endpoint({
    method: "GET",
    path: "/realm/icon",
    summary: "Leads to the organization's icon.",
    who: "user",
    input: Icon,
    verb: findIcon,
  }),
  endpoint({
    method: "POST",
    path: "/realm/logo",
    summary: "Gives the organization a logo for light or dark screens, the one file of a multipart form.",
    who: "administrator",
    body: picture(({ maxLogoFileSizeMib }) => maxLogoFileSizeMib),
    input: Logo,
    verb: uploadLogo,
  }),
  endpoint({
    method: "DELETE",
    path: "/realm/logo",
    summary: "Removes a logo of the organization.",
    who: "administrator",
    input: Logo,
    verb: removeLogo,
  }),
  endpoint({
    method: "GET",
    path: "/realm/logo",
    summary: "Leads to a logo of the organization.",
    who: "user",
    input: Logo,
    verb: findLogo,
  }),
];

/** Where they lead. */
export const realmPicturePages: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/user_avatars/{realm_id_str}/realm/{filename}",
    summary: "The icon or a logo of the organization.",
    who: "anyone",
    isPicture: true,
    input: GetRealmPicture,
    verb: getRealmPicture,
  }),
];
