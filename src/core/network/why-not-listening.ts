import { isIP } from "node:net";
import { dirname } from "node:path";
import type { Config } from "../../config/config";
import { codeOf } from "../error-code";

type Place = Pick<Config, "host" | "port"> & Partial<Pick<Config, "listen">>;

/** Options that name the port and the host of an address. */
interface PlaceFlags {
  port: string;
  host: string;
}

/** Reason why an address cannot be listened at, with what to do; undefined for other errors. */
export function whyNotListening(
  { host, port, listen }: Place,
  error: unknown,
  flags: PlaceFlags = { port: "--port", host: "--host" },
): string | undefined {
  return listen === undefined
    ? whyNotAtPort(host, port, codeOf(error), flags)
    : whyNotAtSocket(listen.replace(/^unix:/, ""), codeOf(error));
}

function whyNotAtPort(
  host: string,
  port: number,
  code: string,
  flags: PlaceFlags,
): string | undefined {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} of ${host} is in use. Choose another one with ${flags.port}.`;
    case "EACCES":
      return `Port ${port} needs a right, as ports below 1024 do (on Linux CAP_NET_BIND_SERVICE): give it to chatd, or choose another one with ${flags.port}.`;
    case "EADDRNOTAVAIL":
    case "ERR_INVALID_ARG_TYPE":
    case "EINVAL":
    case "ENOTFOUND":
      return notOfThisMachine(host, flags);
    default:
      // The runtime has other codes, or none, for names that no name server knows.
      return isIP(host) === 0 && ["", "ENOENT", "ENOTCONN"].includes(code)
        ? notOfThisMachine(host, flags)
        : undefined;
  }
}

const notOfThisMachine = (host: string, flags: PlaceFlags) =>
  `${flags.host} ${host} is no address of this machine. Choose one of its own, or 0.0.0.0 for all of them.`;

function whyNotAtSocket(path: string, code: string): string | undefined {
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return `There is no folder ${dirname(path)} for the socket ${path}. Make it, or choose another path with --listen.`;
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `The socket ${path} cannot be made: the account that runs chatd may not write to ${dirname(path)}. Give it that folder, or choose another path with --listen.`;
    default:
      return undefined;
  }
}
