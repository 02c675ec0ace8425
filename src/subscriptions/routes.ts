import { type Endpoint, endpoint } from "../http/endpoint";
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
    who: "nonGuest",
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
    method: "PATCH",
    path,
    summary: "Adds and ends subscriptions of yours at once.",
    who: "user",
    input: ChangeSubscriptions,
    verb: changeSubscriptions,
  }),
];
