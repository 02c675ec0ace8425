import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { createServer } from "node:tls";
import { makeCertificate } from "../support/servers/relay";

/**
 * The way from browsers to a server, with https at its near end, which a test may cut, slow down or
 * hold: a browser's own switch for being offline lets a poll that is held come to its end.
 */
export interface Network {
  readonly port: number;
  /** Leads to another server from the next connection on. */
  leadTo(site: string): void;
  /** Ends all connections and takes no others. */
  cut(): void;
  /** Forwards nothing any more and ends no connection: nobody is told. */
  hold(): void;
  /** Answers take so much longer from now on. */
  delay(milliseconds: number): void;
  /** Refuses the next request that matches, as a proxy does that does not reach the server. */
  refuseOnce(request: RegExp): void;
  /** Forwards as usual, at first what was held. */
  mend(): void;
  close(): Promise<void>;
}

interface Weather {
  isCut: boolean;
  /** Settles when what is held goes on; undefined where nothing is. */
  held: PromiseWithResolvers<void> | undefined;
  delayMilliseconds: number;
  refused: RegExp | undefined;
}

const badGateway = "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n";

/** Forwards one direction in its order. */
function forward(from: Socket, to: Socket, weather: Weather, isAnswer: boolean) {
  let before = Promise.resolve();
  const inTurn = (step: () => void) => {
    before = before.then(async () => {
      if (isAnswer && weather.delayMilliseconds > 0) await Bun.sleep(weather.delayMilliseconds);
      await weather.held?.promise;
      step();
    });
  };
  from.on("data", (bytes: Buffer) => {
    const isRefused = !isAnswer && weather.refused?.test(bytes.toString("latin1"));
    if (isRefused) weather.refused = undefined;
    inTurn(() => void (isRefused ? from.write(badGateway) : to.write(bytes)));
  });
  from.on("close", () => inTurn(() => void to.destroy()));
  from.on("error", () => undefined);
}

/** Opens a way to a server on this machine. */
export async function openNetwork(site: string): Promise<Network> {
  let target = new URL(site);
  const fair = { isCut: false, held: undefined, delayMilliseconds: 0, refused: undefined };
  const weather: Weather = { ...fair };
  const sockets = new Set<Socket>();
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const { key, cert } = makeCertificate();
  const server = createServer({ key, cert }, (near) => {
    if (weather.isCut) return near.destroy();
    const far = connect(Number(target.port), target.hostname);
    for (const one of [near, far]) sockets.add(one.once("close", () => sockets.delete(one)));
    forward(near, far, weather, false);
    forward(far, near, weather, true);
  });
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    leadTo: (another) => {
      target = new URL(another);
      endAll();
    },
    cut: () => {
      weather.isCut = true;
      endAll();
    },
    hold: () => {
      weather.held ??= Promise.withResolvers();
    },
    delay: (milliseconds) => {
      weather.delayMilliseconds = milliseconds;
    },
    refuseOnce: (request) => {
      weather.refused = request;
    },
    mend: () => {
      weather.held?.resolve();
      Object.assign(weather, fair);
    },
    async close() {
      weather.held?.resolve();
      endAll();
      server.close();
    },
  };
}
