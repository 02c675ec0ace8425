import { each, type Integration } from "../integration";
import { pickText } from "../payload";

const topic =
  "{?groupLabels.alertname}{groupLabels.alertname}{/groupLabels.alertname}{^groupLabels.alertname}{commonLabels.alertname|Alerts}{/groupLabels.alertname}";
const alerts =
  "{#alerts}\n* {status:say} [{labels.alertname|Alert}]({generatorURL:url}){?labels.severity} ({labels.severity}){/labels.severity}{?labels.instance} on {labels.instance:name}{/labels.instance}{?annotations.summary}: {annotations.summary}{/annotations.summary}{?annotations.description}\n{annotations.description:quote}{/annotations.description}{/alerts}";

/**
 * Posts of Prometheus's Alertmanager. Source: prometheus.io, Alerting, Configuration,
 * webhook_config.
 */
export const alertmanager: Integration = {
  name: "alertmanager",
  title: "Alertmanager",
  event: ({ payload }) => pickText(payload, "status"),
  forms: each("", ["firing", "resolved"], {
    topic,
    text: `**{alerts:count alert}** of {receiver:name|Alertmanager}{?externalURL} ([open]({externalURL:url})){/externalURL}\n${alerts}`,
  }),
  words: { firing: ":alert: **Firing**", resolved: ":check: **Resolved**" },
};
