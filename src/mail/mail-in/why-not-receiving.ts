import type { Config } from "../../config/config";

/** Everything in the options that keeps a server from receiving mail: a sentence each. */
export function whyNotReceiving(config: Config): string[] {
  const { smtpPort, channelEmailDomain, smtpTlsCertificate, smtpTlsKey } = config;
  const problems: string[] = [];
  if (smtpPort !== undefined && channelEmailDomain === undefined)
    problems.push(
      "smtp_port needs channel_email_domain, the domain of the channels' e-mail addresses.",
    );
  if ((smtpTlsCertificate === undefined) !== (smtpTlsKey === undefined))
    problems.push("smtp_tls_certificate and smtp_tls_key belong together: set both or neither.");
  return problems;
}
