import { type Endpoint, endpoint } from "../http/endpoint";
import {
  CreateProfileField,
  createProfileField,
  getProfileFields,
  ListProfileFields,
  RemoveProfileField,
  ReorderProfileFields,
  removeProfileField,
  reorderProfileFields,
  UpdateProfileField,
  updateProfileField,
} from "./service";
import { RemoveOwnProfile, removeOwnProfile, UpdateOwnProfile, updateOwnProfile } from "./values";

const path = "/realm/profile_fields";

export const profileFieldEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path,
    summary: "Lists the profile fields of the organization.",
    who: "user",
    input: ListProfileFields,
    verb: getProfileFields,
  }),
  endpoint({
    method: "POST",
    path,
    summary: "Adds a profile field.",
    who: "administrator",
    input: CreateProfileField,
    verb: createProfileField,
  }),
  endpoint({
    method: "PATCH",
    path,
    summary: "Puts the profile fields into another order.",
    who: "administrator",
    input: ReorderProfileFields,
    verb: reorderProfileFields,
  }),
  endpoint({
    method: "PATCH",
    path: `${path}/{field_id}`,
    summary: "Changes a profile field.",
    who: "administrator",
    input: UpdateProfileField,
    verb: updateProfileField,
  }),
  endpoint({
    method: "DELETE",
    path: `${path}/{field_id}`,
    summary: "Takes a profile field away with what people told in it.",
    who: "administrator",
    input: RemoveProfileField,
    verb: removeProfileField,
  }),
  endpoint({
    method: "PATCH",
    path: "/users/me/profile_data",
    summary: "Tells something of yourself in profile fields.",
    who: "user",
    callers: "people",
    input: UpdateOwnProfile,
    verb: updateOwnProfile,
  }),
  endpoint({
    method: "DELETE",
    path: "/users/me/profile_data",
    summary: "Takes back what you told in profile fields.",
    who: "user",
    callers: "people",
    input: RemoveOwnProfile,
    verb: removeOwnProfile,
  }),
];
