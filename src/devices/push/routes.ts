import { auditReasons, notAudited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import {
  AddApnsToken,
  AddedPushSubscription,
  AddFcmToken,
  AddPushSubscription,
  addPushSubscription,
  addToken,
  ListPushSubscriptions,
  listPushSubscriptions,
  PushSubscriptionList,
  RemovePushSubscription,
  RemoveToken,
  removePushSubscription,
  removeToken,
  SendTest,
  sendTest,
} from "./service";

const people = { who: "user", callers: "people" } as const;

const subscriptionEndpoints = [
  endpoint({
    ...people,
    method: "GET",
    path: "/push_subscriptions",
    summary:
      "Lists the browsers and other receivers of your notifications, with the key for subscriptions of browsers.",
    input: ListPushSubscriptions,
    output: PushSubscriptionList,
    verb: listPushSubscriptions,
  }),
  endpoint({
    ...people,
    method: "POST",
    path: "/push_subscriptions",
    audit: notAudited(auditReasons.oneself),
    summary:
      "Adds a receiver of notifications: a browser, a UnifiedPush server or a topic of ntfy. Without keys they are not encrypted.",
    input: AddPushSubscription,
    output: AddedPushSubscription,
    verb: addPushSubscription,
  }),
  endpoint({
    ...people,
    method: "DELETE",
    path: "/push_subscriptions/{subscription_id}",
    audit: notAudited(auditReasons.oneself),
    summary: "Removes a receiver of notifications.",
    input: RemovePushSubscription,
    output: noFields,
    verb: removePushSubscription,
  }),
  endpoint({
    ...people,
    method: "POST",
    path: "/mobile_push/test_notification",
    audit: notAudited(auditReasons.oneself),
    summary: "Sends a test notification to your browsers and other receivers.",
    input: SendTest,
    output: noFields,
    verb: sendTest,
    cost: () => 10,
  }),
];

const tokenEndpoints = [
  endpoint({
    ...people,
    method: "POST",
    path: "/users/me/apns_device_token",
    audit: notAudited(auditReasons.oneself),
    summary: "Stores the token of an older mobile client on iOS, which gets no notifications.",
    input: AddApnsToken,
    output: noFields,
    verb: addToken("apns"),
  }),
  endpoint({
    ...people,
    method: "DELETE",
    path: "/users/me/apns_device_token",
    audit: notAudited(auditReasons.oneself),
    summary: "Deletes the token of an older mobile client on iOS.",
    input: RemoveToken,
    output: noFields,
    verb: removeToken("apns"),
  }),
  endpoint({
    ...people,
    method: "POST",
    path: "/users/me/android_gcm_reg_id",
    audit: notAudited(auditReasons.oneself),
    summary: "Stores the token of an older mobile client on Android, which gets no notifications.",
    input: AddFcmToken,
    output: noFields,
    verb: addToken("fcm"),
  }),
  endpoint({
    ...people,
    method: "DELETE",
    path: "/users/me/android_gcm_reg_id",
    audit: notAudited(auditReasons.oneself),
    summary: "Deletes the token of an older mobile client on Android.",
    input: RemoveToken,
    output: noFields,
    verb: removeToken("fcm"),
  }),
];

export const pushEndpoints = [...subscriptionEndpoints, ...tokenEndpoints];
