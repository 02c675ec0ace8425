import type { ServerWebSocket } from "bun";

/** Words of a browser to its push service; the protocol is that of Mozilla's autopush. */
interface Word {
  messageType?: string;
  uaid?: string;
  channelID?: string;
  updates?: { channelID: string; version: string; code: number }[];
}

/**
 * A push service on loopback: browsers of Mozilla subscribe there over a socket, and servers post
 * to the addresses that it hands out. It does not look into what it forwards.
 */
export class PushService {
  /** Channels that browsers have ended. */
  readonly ended: string[] = [];
  /**
   * Codes with which browsers have confirmed messages: 100 where the page's worker has taken it.
   */
  readonly confirmed: number[] = [];
  private readonly sockets = new Set<ServerWebSocket<undefined>>();
  private count = 0;
  private readonly server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request, server): Promise<Response | undefined> => {
      if (server.upgrade(request, subprotocol)) return undefined;
      const channelID = new URL(request.url).pathname.slice(1);
      const body = Buffer.from(await request.arrayBuffer());
      this.forward(channelID, body);
      return new Response("", { status: 201 });
    },
    websocket: {
      open: (socket) => void this.sockets.add(socket),
      close: (socket) => void this.sockets.delete(socket),
      message: (socket, text) => this.hear(socket, JSON.parse(String(text))),
    },
  });
  readonly socketAddress = `ws://127.0.0.1:${this.server.port}/`;

  stop = () => this.server.stop(true);

  private forward(channelID: string, body: Buffer): void {
    this.count += 1;
    for (const socket of this.sockets)
      say(socket, {
        messageType: "notification",
        channelID,
        version: `v${this.count}`,
        data: body.toString("base64url"),
        headers: { encoding: "aes128gcm" },
      });
  }

  private hear(socket: ServerWebSocket<undefined>, word: Word): void {
    const { messageType, channelID = "" } = word;
    if (messageType === undefined || messageType === "ping") say(socket, {});
    if (messageType === "hello") {
      const uaid = word.uaid || crypto.randomUUID().replaceAll("-", "");
      say(socket, { messageType, uaid, status: 200, use_webpush: true, broadcasts: {} });
    }
    if (messageType === "register") {
      const pushEndpoint = `http://127.0.0.1:${this.server.port}/${channelID}`;
      say(socket, { messageType, channelID, status: 200, pushEndpoint });
    }
    if (messageType === "unregister") {
      this.ended.push(channelID);
      say(socket, { messageType, channelID, status: 200 });
    }
    if (messageType === "ack") this.confirmed.push(...(word.updates ?? []).map(({ code }) => code));
  }
}

const subprotocol = { headers: { "sec-websocket-protocol": "push-notification" } };

const say = (socket: ServerWebSocket<undefined>, word: object) =>
  void socket.send(JSON.stringify(word));
