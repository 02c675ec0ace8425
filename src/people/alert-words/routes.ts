import { auditReasons, notAudited } from "../../core/audit";
import { endpoint } from "../../core/endpoint";
import {
  AlertWords,
  addAlertWords,
  ChangeAlertWords,
  ListAlertWords,
  listOwnAlertWords,
  removeAlertWords,
} from "./service";

const path = "/users/me/alert_words";

export const alertWordEndpoints = [
  endpoint({
    method: "GET",
    path,
    summary: "Lists your alert words.",
    who: "user",
    input: ListAlertWords,
    output: AlertWords,
    verb: listOwnAlertWords,
  }),
  endpoint({
    method: "POST",
    path,
    audit: notAudited(auditReasons.oneself),
    summary: "Adds alert words of yours.",
    who: "user",
    input: ChangeAlertWords,
    output: AlertWords,
    verb: addAlertWords,
  }),
  endpoint({
    method: "DELETE",
    path,
    audit: notAudited(auditReasons.oneself),
    summary: "Removes words from your alert words.",
    who: "user",
    input: ChangeAlertWords,
    output: AlertWords,
    verb: removeAlertWords,
  }),
];
