import { beforeAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listKeyPairWarnings, readKeyPair } from "../../src/https/key-pair";
import { folderOfFile } from "../support/folder-of-file";
import {
  type CertificateFiles,
  signedBy,
  signedByItself,
  textOf,
} from "../support/servers/certificates";

const folder = folderOfFile("key-pair");
const host = "chat.example.com";
const daySeconds = 86_400;
let root: CertificateFiles;
let between: CertificateFiles;
let own: CertificateFiles;

beforeAll(() => {
  root = signedByItself("Root");
  between = signedBy(root, "Between", [], true);
  own = signedBy(between, host, [host]);
});

function write(name: string, text: string, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const whole = (...of: CertificateFiles[]) =>
  write("chain.pem", of.map(({ certificate }) => textOf(certificate)).join(""));
const warningsOf = (paths: CertificateFiles, days = 0, at: string | undefined = host) => {
  const now = Date.now() / 1000 + days * daySeconds;
  return listKeyPairWarnings(readKeyPair(paths), paths, now, at);
};

describe("a certificate that cannot be served is refused with what to do:", () => {
  const refusalOf = (paths: CertificateFiles) => () => readKeyPair(paths);

  test("a file that is not there, or is a folder", () => {
    mkdirSync(join(folder, "folder"));
    expect(refusalOf({ ...own, certificate: join(folder, "none") })).toThrow("does not exist.");
    expect(refusalOf({ ...own, key: join(folder, "folder") })).toThrow("is a folder.");
  });

  test("swapped files, files with something else, damaged ones", () => {
    const text = write("text", "hello");
    const damaged = textOf(own.certificate).replace(/(.{200})[A-Za-z0-9+/]{40}/s, "$1");
    expect(refusalOf({ certificate: own.key, key: own.certificate })).toThrow("swapped?");
    expect(refusalOf({ ...own, certificate: text })).toThrow(
      "holds no certificate in the form PEM",
    );
    expect(refusalOf({ ...own, key: text })).toThrow("holds no key in the form PEM");
    expect(refusalOf({ ...own, certificate: write("cut", damaged) })).toThrow("is damaged");
  });

  test("a key of another certificate, or a chain in the wrong order", () => {
    expect(refusalOf({ ...own, key: between.key })).toThrow("is not the key of the certificate");
    expect(refusalOf({ ...own, certificate: whole(between, own) })).toThrow("is not the first");
  });

  test("a key with a passphrase", () => {
    const key = join(folder, "locked.pem");
    const lock = ["-aes256", "-passout", "pass:secret"];
    execFileSync("openssl", ["pkey", "-in", own.key, "-out", key, ...lock], { stdio: "pipe" });
    expect(refusalOf({ ...own, key })).toThrow("has a passphrase");
  });
});

describe("a certificate that clients may refuse is warned of:", () => {
  test("nothing is said of one that is in order", () => {
    expect(warningsOf({ ...own, certificate: whole(own, between, root) })).toEqual([]);
  });

  test("one that has expired, expires soon, or is not valid yet", () => {
    const paths = { ...own, certificate: whole(own, between, root) };
    expect(warningsOf(paths, 31)).toEqual([expect.stringContaining("has expired on")]);
    expect(warningsOf(paths, 25)).toEqual([expect.stringContaining("expires on")]);
    expect(warningsOf(paths, -1)).toEqual([expect.stringContaining("is not valid before")]);
  });

  test("one without the authorities between, for another host, or with a key that is open to all", () => {
    const complete = { ...own, certificate: whole(own, between, root) };
    expect(warningsOf(own)).toEqual([expect.stringContaining("(CN=Between)")]);
    expect(warningsOf(complete, 0, "other.example.com")).toEqual([
      expect.stringContaining("is not for other.example.com, but for DNS:chat.example.com"),
    ]);
    const key = write("open.pem", textOf(own.key), 0o644);
    expect(warningsOf({ ...complete, key })).toEqual([expect.stringContaining(`chmod o= ${key}`)]);
  });
});
