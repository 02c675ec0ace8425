import { expect, test } from "bun:test";
import { turn } from "../../src/core/turns/turn";
import { makePlaceholder } from "../../src/https/acme";
import { CertificateKeeper } from "../../src/https/certificate-keeper";
import { CertificateStore, type Issued } from "../../src/https/certificate-store";
import { makeFakeClock } from "../support/fake-clock";
import { folderOfFile } from "../support/folder-of-file";

/* Times at which a server asks for a certificate, with an authority that answers at once. */

const host = "chat.example.com";
const minuteSeconds = 60;
const hourSeconds = 3_600;
const daySeconds = 24 * hourSeconds;
const now = Math.floor(Date.now() / 1000);

interface Line {
  event: string;
  what?: string;
  served?: string;
}

/** A server whose authority issues that certificate each time. */
function makeServer(issued: Issued, clockSeconds = now, data = folderOfFile("keeper")) {
  const clock = makeFakeClock(clockSeconds);
  const lines: Line[] = [];
  const note = (event: string, fields = {}) => void lines.push({ event, ...fields });
  const log = { debug: note, info: note, warn: note, error: note };
  const store = new CertificateStore(data);
  let asked = 0;
  const issue = async () => {
    asked += 1;
    return issued;
  };
  const serving = { failuresLeft: 0 };
  const changed = async () => {
    if (serving.failuresLeft === 0) return note("served");
    serving.failuresLeft -= 1;
    throw new Error("Too many open files.");
  };
  const keeper = new CertificateKeeper({ hosts: [host], store, clock, log, issue, changed });
  /** Lets time pass in steps of an hour, after each of which the keeper does what it has to. */
  const pass = async (seconds: number) => {
    for (let left = seconds; left > 0; left -= hourSeconds) {
      clock.advance(Math.min(left, hourSeconds));
      for (let turns = 0; turns < 5; turns++) await turn();
    }
  };
  return { keeper, store, lines, pass, data, clock, serving, asked: () => asked };
}

const certificate = await makePlaceholder(host);

test("A server whose clock is ahead serves the certificate that it gets, and does not use up those of the week", async () => {
  const server = makeServer(certificate, now + 1_000 * daySeconds);
  server.keeper.start();
  await server.pass(minuteSeconds);
  expect(server.asked()).toBe(1);
  const [got, notGot, served, ...others] = server.lines;
  expect([got?.event, notGot?.event, served?.event]).toEqual([
    "certificate_got",
    "certificate_not_got",
    "served",
  ]);
  expect(notGot?.what).toContain("Check the clock");
  expect(others).toEqual([]);
  // Somebody who reloads again and again changes nothing for an hour.
  for (let reload = 0; reload < 5; reload++) {
    server.keeper.tryAgain();
    await server.pass(minuteSeconds);
  }
  expect(server.asked()).toBe(1);
  await server.pass(2 * hourSeconds);
  expect(server.asked()).toBe(2);
  await server.pass(7 * daySeconds - 3 * hourSeconds);
  expect(server.asked()).toBeWithin(3, 7);
  server.keeper.stop();

  const restarted = makeServer(certificate, server.clock.now(), server.data);
  restarted.keeper.start();
  await restarted.pass(hourSeconds);
  expect(restarted.asked()).toBe(0);
  restarted.keeper.stop();
});

test("A certificate that cannot be read does not replace the one that is served, and the next one is not asked for soon", async () => {
  const data = folderOfFile("keeper");
  expect(new CertificateStore(data).saveCertificate(host, certificate)).toBe(true);
  // It is valid for a year, and due after two thirds of it.
  const server = makeServer({ ...certificate, chain: "none" }, now + 300 * daySeconds, data);
  server.keeper.start();
  await server.pass(daySeconds);
  expect([server.asked(), server.lines.map(({ event }) => event)]).toEqual([
    1,
    ["certificate_not_got"],
  ]);
  expect(server.lines[0]?.served).toStartWith("the certificate until ");
  expect(server.store.certificate(host)?.chain.trim()).toBe(certificate.chain.trim());
  server.keeper.stop();
});

test("A certificate that could not be served is served soon after, and the authority is not asked again", async () => {
  const server = makeServer(certificate);
  server.serving.failuresLeft = 2;
  server.keeper.start();
  await server.pass(minuteSeconds);
  const events = () => server.lines.map(({ event }) => event);
  expect(events()).toEqual(["certificate_got", "certificate_not_served"]);
  for (let minute = 0; minute < 10; minute++) await server.pass(minuteSeconds);
  expect(events().slice(2)).toEqual(["certificate_not_served", "served"]);
  await server.pass(daySeconds);
  expect([server.asked(), events().length]).toEqual([1, 4]);
  server.keeper.stop();
});
