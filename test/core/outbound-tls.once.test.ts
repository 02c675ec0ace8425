import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "bun";
import { requireTool } from "../support/processes/tools";
import { root } from "../support/root";

const hasTool = requireTool("openssl");

/** A certificate for a name, which vouches for itself. */
function makeCertificate(folder: string, name: string) {
  const [key, file] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const names = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
  const request = [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "2",
    "-keyout",
    key,
    "-out",
    file,
    ...names,
  ];
  execFileSync("openssl", request, { stdio: "ignore" });
  return { key: readFileSync(key), cert: readFileSync(file), file };
}

async function ask(urls: string[], authorities: string): Promise<string[]> {
  const script = join(root, "test/support/processes/outbound-process.ts");
  const env = { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: authorities };
  const child = spawn([process.execPath, "run", script, ...urls], {
    env,
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = (await new Response(child.stdout).text()).trim().split("\n");
  expect(await child.exited).toBe(0);
  return lines;
}

test.skipIf(!hasTool)(
  "G1: what is connected to by address is asked for a certificate of the name in the URL",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "chatd-outbound-"));
    const { key, cert, file } = makeCertificate(folder, "hooks.example.com");
    const hosts: (string | null)[] = [];
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      tls: { key, cert },
      fetch(request) {
        hosts.push(request.headers.get("host"));
        return new Response("soup");
      },
    });
    const urlOf = (host: string) => `https://${host}:${server.port}/`;
    expect(
      await ask([urlOf("hooks.example.com"), urlOf("evil.example.com"), urlOf("127.0.0.1")], file),
    ).toEqual([
      "soup",
      "unreachable: The certificate is not of that name.",
      "unreachable: The certificate is not of that name.",
    ]);
    expect(await ask([urlOf("hooks.example.com")], "")).toEqual([
      "unreachable: The certificate is not signed by an authority that this server trusts.",
    ]);
    expect(hosts).toEqual([`hooks.example.com:${server.port}`]);
    await server.stop(true);
    rmSync(folder, { recursive: true });
  },
);
