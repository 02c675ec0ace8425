import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * A proxy that leads to one port of this machine, whichever host a browser asks it for: so a
 * browser opens the organization's own address, with https, and sees what people see.
 */
export interface Tunnel {
  readonly port: number;
  close(): void;
}

export async function openTunnel(target: number): Promise<Tunnel> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket.on("close", () => sockets.delete(socket)));
    socket.on("error", () => undefined);
  };
  const server = createServer((near) => {
    keep(near);
    near.once("data", (request) => {
      if (!request.toString().startsWith("CONNECT ")) return near.destroy();
      const far = connect(target, "127.0.0.1");
      keep(far);
      near.write("HTTP/1.1 200 OK\r\n\r\n");
      near.pipe(far).pipe(near);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
