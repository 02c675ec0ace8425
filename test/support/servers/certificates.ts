import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { folderOfFile } from "../folder-of-file";

/** A certificate with its key, as PEM files. */
export interface CertificateFiles {
  certificate: string;
  key: string;
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "pipe" });

function freshPaths(): CertificateFiles & { request: string } {
  const folder = folderOfFile("certificates");
  return {
    certificate: join(folder, "cert.pem"),
    key: join(folder, "key.pem"),
    request: join(folder, "request.pem"),
  };
}

/** A certificate authority, or a self-signed certificate, for hosts. */
export function signedByItself(name: string, hosts: readonly string[] = []): CertificateFiles {
  const { certificate, key } = freshPaths();
  const to = ["-keyout", key, "-out", certificate, "-days", "30", "-subj", `/CN=${name}`];
  openssl("req", "-x509", ...newKey, ...to, ...forHosts(hosts));
  return { certificate, key };
}

/** A certificate for hosts that an authority has signed. With `isAuthority` it may sign others. */
export function signedBy(
  authority: CertificateFiles,
  name: string,
  hosts: readonly string[],
  isAuthority = false,
): CertificateFiles {
  const { certificate, key, request } = freshPaths();
  const extensions = isAuthority ? ["-addext", "basicConstraints=critical,CA:TRUE"] : [];
  const of = ["-keyout", key, "-out", request, "-subj", `/CN=${name}`, ...forHosts(hosts)];
  openssl("req", "-new", ...newKey, ...of, ...extensions);
  const by = ["-CA", authority.certificate, "-CAkey", authority.key, "-CAcreateserial"];
  const to = ["-copy_extensions", "copy", "-days", "30", "-out", certificate];
  openssl("x509", "-req", "-in", request, ...by, ...to);
  return { certificate, key };
}

const forHosts = (hosts: readonly string[]) =>
  hosts.length === 0
    ? []
    : ["-addext", `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(",")}`];

export const textOf = (path: string): string => readFileSync(path, "utf8");
