import { each, type Integration } from "../integration";
import { pickText } from "../payload";
import { signedBody } from "../signature";

/** Text of each alert; `valueString` has the measured values. */
const alerts =
  "{#alerts}\n* {status:say} [{labels.alertname|Alert}]({generatorURL:url}){?labels.instance} on {labels.instance:name}{/labels.instance}{?annotations.summary}: {annotations.summary}{/annotations.summary}{?startsAt}, since {startsAt:time}{/startsAt}{?silenceURL} ([silence]({silenceURL:url})){/silenceURL}{?annotations.description}\n{annotations.description:quote}{/annotations.description}{/alerts}";

/** Grafana's alerts, since version 8. Source: grafana.com/docs, Configure the webhook notifier. */
export const grafana: Integration = {
  name: "grafana",
  title: "Grafana",
  signature: signedBody(["x-grafana-alerting-signature"]),
  event: ({ payload }) => pickText(payload, "status") || pickText(payload, "state"),
  forms: {
    ...each("", ["firing", "resolved"], {
      topic:
        "{?groupLabels.alertname}{groupLabels.alertname}{/groupLabels.alertname}{^groupLabels.alertname}{commonLabels.alertname|Alerts}{/groupLabels.alertname}",
      text: `{status:say} **{alerts:count alert}**\n${alerts}`,
    }),
    // The form before version 8.
    ...each("", ["alerting", "ok", "no_data", "paused", "pending"], {
      topic: "{ruleName|Alerts}",
      text: "{state:say} [{title|Alert}]({ruleUrl:url}){?message}\n\n{message:quote}{/message}{#evalMatches}\n* {metric}: {value}{/evalMatches}",
    }),
  },
  words: {
    firing: ":alert: Firing:",
    resolved: ":check: Resolved:",
    alerting: ":alert:",
    ok: ":check:",
    no_data: ":question: No data:",
    paused: "Paused:",
    pending: "Pending:",
  },
};
