import { dirname } from "node:path";
import type { Config } from "../config";
import { codeOf } from "../core/error-code";

type Place = Pick<Config, "host" | "port"> & Partial<Pick<Config, "listen">>;

/**
 * Reason why an address cannot be listened at, with what to do; undefined for other errors.
 * `portFlag` is the option that names the port.
 */
export function whyNotListening(
  { host, port, listen }: Place,
  error: unknown,
  portFlag = "--port",
): string | undefined {
  return listen === undefined
    ? whyNotAtPort(host, port, codeOf(error), portFlag)
    : whyNotAtSocket(listen.replace(/^unix:/, ""), codeOf(error));
}

function whyNotAtPort(
  host: string,
  port: number,
  code: string,
  portFlag: string,
): string | undefined {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} of ${host} is in use. Choose another one with ${portFlag}.`;
    case "EACCES":
      return `Port ${port} needs a right, as ports below 1024 do (on Linux CAP_NET_BIND_SERVICE): give it to chatd, or choose another one with ${portFlag}.`;
    case "EADDRNOTAVAIL":
    case "ERR_INVALID_ARG_TYPE":
    case "EINVAL":
    case "ENOTFOUND":
      return `--host ${host} is no address of this machine. Choose one of its own, or 0.0.0.0 for all of them.`;
    default:
      return undefined;
  }
}

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
