import type { Applied } from "../src/moving/organization/apply";
import { linesOfLinks, type OneTimeLink } from "./one-time-links";
import { resultText } from "./output";
import type { ServeOptions } from "./serve";
import { shellWord } from "./shell-word";

interface ReadyServer {
  url: string;
  /** Data folder of the server. */
  data: string;
  /** The Unix socket that it uses instead of a port, as `unix:/run/chatd.sock`. */
  socket: string | undefined;
  /** Hosts that have no certificate yet. */
  uncertified: readonly string[];
  /** Names that replace `localhost` on other machines. */
  others: readonly string[];
  /** Port at which mail to channels is received. */
  mailPort: number | undefined;
  links: readonly OneTimeLink[];
  /** Whether a key may be printed, because no log keeps the output. */
  showsKey: boolean;
}

/**
 * Text which says that the server is ready, and how people at this terminal sign in; at the first
 * start also how programs do. Nothing of this is shown again. A key is printed only if no log keeps
 * the output. The link is always printed, because it soon expires.
 */
export function announcement(
  options: ServeOptions,
  { url, data, socket, uncertified, others, mailPort, links, showsKey }: ReadyServer,
  first: Applied | undefined,
): string {
  const [owner] = first?.credentials ?? [];
  const mail = mailPort === undefined ? [] : [`Mail to channels is received on port ${mailPort}`];
  const socketPath = socket?.replace(/^unix:/, "");
  const at =
    socketPath === undefined ? [] : [`chatd listens on the socket ${socketPath}, for a proxy`];
  const curl = socketPath === undefined ? "curl" : `curl --unix-socket ${socketPath}`;
  const ready = [
    `chatd is ready at ${url}`,
    ...linesOfMissing(uncertified),
    ...at,
    ...mail,
    ...linesOfLinks(links, others),
  ];
  const printed = {
    url,
    ...(socket !== undefined && { socket }),
    ...(uncertified.length > 0 && { certificates_missing: uncertified }),
    ...(mailPort !== undefined && { smtp_port: mailPort }),
    ...(links.length > 0 && { login_links: links.map(({ email, url }) => ({ email, url })) }),
  };
  if (!owner) return resultText(options, printed, ready);
  const { email, api_key } = owner;
  if (!showsKey)
    return resultText(options, { ...printed, email }, [
      ...ready,
      "",
      "This is the first start, so chatd has created an organization with an owner. To get an API key for programs and bots:",
      `  chatd admin api-key issue ${email}${placeOf(options, data)}`,
    ]);
  return resultText(options, { ...printed, email, api_key }, [
    ...ready,
    "",
    "This is the first start, so chatd has created an organization with an owner. The API key for programs and bots (it is not shown again):",
    `  address: ${url}`,
    `  e-mail:  ${email}`,
    `  API key: ${api_key}`,
    "",
    "Send a first message:",
    `  ${curl} -sS -u ${email}:${api_key} ${url}/api/v1/messages -d type=channel -d to=general -d topic=hello --data-urlencode 'content=Hello, world!'`,
  ]);
}

/**
 * Options with which a command finds this server's data: the options of the server, or its data
 * folder.
 */
function placeOf({ config, data, database, ephemeral }: ServeOptions, ownData: string): string {
  const address = typeof database === "string" ? withoutPassword(database) : undefined;
  return Object.entries({ config, data: ephemeral ? ownData : data, database: address })
    .map(([name, value]) => (typeof value === "string" ? ` --${name} ${shellWord(value)}` : ""))
    .join("");
}

/**
 * The address of a database with a placeholder instead of its password, because a log may keep the
 * line.
 */
const withoutPassword = (address: string): string =>
  address.replace(/^(\w+:\/\/[^:@/]*:)[^@/]+@/, "$1PASSWORD@");

/**
 * Lines about hosts without a certificate: why clients are refused, and what to check if none
 * arrives.
 */
function linesOfMissing(hosts: readonly string[]): string[] {
  if (hosts.length === 0) return [];
  return [
    `There is no certificate for ${hosts.join(", ")} yet, so clients refuse https until the certificate authority has issued one.`,
    "The log says when it arrives (certificate_got), or why it does not (certificate_not_got).",
    "If none arrives: the DNS record of the host must point to this machine, and port 80 must be open. chatd admin config check finds the problem.",
  ];
}
