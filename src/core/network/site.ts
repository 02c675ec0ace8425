import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/config";
import type { App, RealmRow } from "../context";
import { perServer } from "../per-server";

type Place = Pick<Config, "data" | "port" | "url"> &
  Partial<Pick<Config, "listen" | "https" | "tlsCertificate">>;

/** Ports that were written or read here, so that each is read once. */
const ports = new WeakMap<Place, number>();

const noteOf = ({ data }: Place) => join(data, "served-port");

/** Tells this process the port that it listens on, which a flag may have set. */
export const takePort = (config: Place, port: number): void => void ports.set(config, port);

/**
 * Writes the port that the server listens on into the data folder, for commands that run while the
 * server runs. Makes the folder where PostgreSQL has the data, and the configuration the secret.
 * Answers the error if the file cannot be written.
 */
export function notePort(config: Place): Error | undefined {
  try {
    mkdirSync(config.data, { recursive: true, mode: 0o700 });
    writeFileSync(noteOf(config), `${portOf(config)}\n`, { mode: 0o600 });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The port of the server on this data: the noted one, or else the configured one. */
export function portOf(config: Place): number {
  const port = ports.get(config) ?? readNote(config) ?? config.port;
  ports.set(config, port);
  return port;
}

function readNote(config: Place): number | undefined {
  try {
    return Number.parseInt(readFileSync(noteOf(config), "utf8"), 10) || undefined;
  } catch {
    return undefined;
  }
}

type OfHttps = Partial<Pick<Config, "https" | "tlsCertificate">>;

/** Whether a server with this configuration speaks https by itself. */
export const speaksHttps = ({ https, tlsCertificate }: OfHttps): boolean =>
  https !== undefined || tlsCertificate !== undefined;

/** The hosts that a server gets certificates for by itself. */
export const httpsHosts = ({ https }: OfHttps): string[] =>
  https === undefined ? [] : https.toLowerCase().split(/, ?/);

/** The address of a host at a server that has that port, without a slash at its end. */
export function addressAt(
  config: OfHttps & Partial<Pick<Config, "listen">>,
  host: string,
  port: number,
): string {
  const [scheme, usualPort] = speaksHttps(config) ? ["https", 443] : ["http", undefined];
  // A proxy in front of a Unix socket listens at the usual port.
  const isUsual = config.listen !== undefined || port === usualPort;
  return `${scheme}://${host}${isUsual ? "" : `:${port}`}`;
}

/**
 * The configured address, and whether an organization has its host, as far as this server knows.
 */
const publicAddress = perServer(({ config: { url } }: { config: Pick<Config, "url"> }) => {
  const { protocol = "", hostname = "", port = "" } = URL.parse(url ?? "") ?? {};
  return { protocol, hostname, port: port === "" ? "" : `:${port}`, isOfOrganization: false };
});

type HasAddress = Pick<App, "memory"> & { config: Place };
type HasHost = Pick<RealmRow, "host">;

/**
 * The host of the configured address, which organizations share unless one of them has that host;
 * undefined without such an address.
 */
export const publicHost = (app: HasAddress): string | undefined =>
  app.config.url === undefined ? undefined : publicAddress.of(app).hostname;

/**
 * Notes whether an organization has the host of the configured address. If one has it, the others
 * are reached only by their own hosts, so that from then on they have addresses of their own.
 */
export function notePublicHost(app: HasAddress, isOfOrganization: boolean): void {
  publicAddress.of(app).isOfOrganization = isOfOrganization;
}

/**
 * The address of an organization, without a slash at its end: the configured one, which holds for
 * all servers on one database, with the organization's own host if another organization has the
 * configured one. Without configuration, the organization's host with the port of the server in
 * this data folder. Never an address from a request.
 */
export function siteOf({ app, realm }: { app: HasAddress; realm: HasHost }): string {
  const { config } = app;
  if (config.url === undefined)
    return addressAt(
      config,
      realm.host,
      config.listen === undefined ? portOf(config) : config.port,
    );
  const { protocol, hostname, port, isOfOrganization } = publicAddress.of(app);
  const isShared = realm.host === hostname || !isOfOrganization;
  return isShared ? config.url : `${protocol}//${realm.host}${port}`;
}
