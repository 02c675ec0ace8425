import { type Endpoint, endpoint } from "../http/endpoint";
import { CreateChannel, createChannelWith } from "./create-channel";
import { GetSubscriptionStatus, getSubscriptionStatus, ListSubscribers, listSubscribers } from "./members";
import { ChangeProperties, ChangeProperty, changeProperties, changeProperty } from "./properties";
import {
  AddSubscriptions,
  addSubscriptions,
  ChangeSubscriptions,
  changeSubscriptions,
  ListSubscriptions,
  listSubscriptions,
  RemoveSubscriptions,
  removeSubscriptions,
} from "./service";

const path = "/users/me/subscriptions";

export const subscriptionsEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/channels/create",
    summary: "Makes a channel with its first subscribers.",
    who: "nonGuest",
    input: CreateChannel,
    verb: createChannelWith,
  }),
  endpoint({
    method: "GET",
    path,
    summary: "Lists the channels that you are subscribed to.",
    who: "user",
    input: ListSubscriptions,
    verb: listSubscriptions,
  }),
  endpoint({
    method: "POST",
    path,
    summary: "Subscribes you, or the users you name, to channels; makes those that do not exist.",
    who: "user",
    input: AddSubscriptions,
    verb: addSubscriptions,
  }),
  endpoint({
    method: "DELETE",
    path,
    summary: "Ends your subscriptions, or those of the users you name, to channels.",
    who: "user",
    input: RemoveSubscriptions,
    verb: removeSubscriptions,
  }),
  endpoint({
    method: "POST",
    path: `${path}/delete`,
    summary: "Ends subscriptions as DELETE does, for clients that send no DELETE.",
    who: "user",
    input: RemoveSubscriptions,
    verb: removeSubscriptions,
  }),
  endpoint({
    method: "PATCH",
    path,
    summary: "Adds and ends subscriptions of yours at once.",
    who: "user",
    input: ChangeSubscriptions,
    verb: changeSubscriptions,
  }),
  endpoint({
    method: "POST",
    path: `${path}/properties`,
    summary:
      "Changes settings of your subscriptions: their color, whether they are muted or pinned, how they notify you.",
    who: "user",
    input: ChangeProperties,
    verb: changeProperties,
  }),
  ...(["PATCH", "POST"] as const).map((method) =>
    endpoint({
      method,
      path: `${path}/{stream_id}`,
      summary: "Changes one setting of one of your subscriptions.",
      who: "user",
      input: ChangeProperty,
      verb: changeProperty,
    }),
  ),
  endpoint({
    method: "GET",
    path: "/streams/{stream_id}/members",
    summary: "Lists who is subscribed to a channel.",
    who: "user",
    input: ListSubscribers,
    verb: listSubscribers,
  }),
  endpoint({
    method: "GET",
    path: "/users/{user_id}/subscriptions/{stream_id}",
    summary: "Tells whether somebody is subscribed to a channel.",
    who: "user",
    input: GetSubscriptionStatus,
    verb: getSubscriptionStatus,
  }),
];
