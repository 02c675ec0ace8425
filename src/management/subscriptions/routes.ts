import { Type } from "@sinclair/typebox";
import { audited, auditedIf, auditReasons, notAudited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import { ChangedSubscriptions, ChangeSubscriptions, changeSubscriptions } from "./change";
import { subscriptionsCost } from "./cost";
import { CreateChannel, createChannelWith } from "./create-channel";
import {
  GetSubscriptionStatus,
  getSubscriptionStatus,
  ListSubscribers,
  listSubscribers,
} from "./members";
import { ChangeProperties, ChangeProperty, changeProperties, changeProperty } from "./properties";
import { RemovedSubscriptions, RemoveSubscriptions, removeSubscriptions } from "./remove";
import {
  AddedSubscriptions,
  AddSubscriptions,
  addSubscriptions,
  ListSubscriptions,
  listSubscriptions,
  SubscriptionList,
} from "./service";

const path = "/users/me/subscriptions";

export const subscriptionsEndpoints = [
  endpoint({
    method: "POST",
    path: "/channels/create",
    summary: "Creates a channel with its first subscribers.",
    who: "nonGuest",
    audit: audited("channel.create"),
    input: CreateChannel,
    output: Type.Object({ id: Type.Integer() }),
    statuses: [409],
    cost: subscriptionsCost,
    verb: createChannelWith,
  }),
  endpoint({
    method: "GET",
    path,
    summary: "Lists the channels that you are subscribed to.",
    who: "user",
    input: ListSubscriptions,
    output: SubscriptionList,
    verb: listSubscriptions,
  }),
  endpoint({
    method: "POST",
    path,
    audit: auditedIf(
      "it subscribes others or makes a channel",
      "channel.subscribe",
      "channel.create",
    ),
    summary: "Subscribes you, or the users that you name, to channels; creates missing channels.",
    who: "user",
    input: AddSubscriptions,
    output: AddedSubscriptions,
    statuses: [409],
    cost: subscriptionsCost,
    verb: addSubscriptions,
  }),
  endpoint({
    method: "DELETE",
    path,
    audit: auditedIf("it unsubscribes others", "channel.unsubscribe"),
    summary: "Ends your subscriptions to channels, or those of the users that you name.",
    who: "user",
    input: RemoveSubscriptions,
    output: RemovedSubscriptions,
    cost: subscriptionsCost,
    verb: removeSubscriptions,
  }),
  endpoint({
    method: "POST",
    path: `${path}/delete`,
    audit: auditedIf("it unsubscribes others", "channel.unsubscribe"),
    summary: "Ends subscriptions like DELETE, for clients that cannot send DELETE.",
    who: "user",
    input: RemoveSubscriptions,
    output: RemovedSubscriptions,
    cost: subscriptionsCost,
    verb: removeSubscriptions,
  }),
  endpoint({
    method: "PATCH",
    path,
    audit: auditedIf(
      "it subscribes others or makes a channel",
      "channel.subscribe",
      "channel.create",
    ),
    summary: "Adds and ends your subscriptions in one request.",
    who: "user",
    input: ChangeSubscriptions,
    output: ChangedSubscriptions,
    statuses: [409],
    cost: subscriptionsCost,
    verb: changeSubscriptions,
  }),
  endpoint({
    method: "POST",
    path: `${path}/properties`,
    audit: notAudited(auditReasons.oneself),
    summary: "Changes settings of your subscriptions: color, muting, pinning and notifications.",
    who: "user",
    input: ChangeProperties,
    output: noFields,
    verb: changeProperties,
  }),
  ...(["PATCH", "POST"] as const).map((method) =>
    endpoint({
      method,
      path: `${path}/{stream_id}`,
      audit: notAudited(auditReasons.oneself),
      summary: "Changes one setting of one of your subscriptions.",
      who: "user",
      input: ChangeProperty,
      output: noFields,
      verb: changeProperty,
    }),
  ),
  endpoint({
    method: "GET",
    path: "/streams/{stream_id}/members",
    summary: "Lists the subscribers of a channel.",
    who: "user",
    input: ListSubscribers,
    output: Type.Object({ subscribers: Type.Array(Type.Integer()) }),
    verb: listSubscribers,
  }),
  endpoint({
    method: "GET",
    path: "/users/{user_id}/subscriptions/{stream_id}",
    summary: "Answers whether somebody is subscribed to a channel.",
    who: "user",
    input: GetSubscriptionStatus,
    output: Type.Object({ is_subscribed: Type.Boolean() }),
    verb: getSubscriptionStatus,
  }),
];
