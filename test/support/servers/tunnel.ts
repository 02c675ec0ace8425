import { connect, createServer } from "node:net";

/** A proxy (HTTP's CONNECT) that leads every host to one port of this machine. */
export interface Tunnel {
  port: number;
  close(): void;
}

export async function openTunnel(to: number): Promise<Tunnel> {
  const server = createServer((near) => {
    near.once("data", () => {
      const far = connect(to, "127.0.0.1", () => {
        near.write("HTTP/1.1 200 Connection established\r\n\r\n");
        near.pipe(far).pipe(near);
      });
      far.on("error", () => near.destroy());
      near.on("error", () => far.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it has no port");
  return { port: address.port, close: () => void server.close() };
}
