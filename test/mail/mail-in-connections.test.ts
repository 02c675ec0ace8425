import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { createTransport } from "nodemailer";
import { renewChannelAddresses } from "../../src/channels/email-address";
import { whileUploading } from "../../src/uploads/service";
import { outcomeOf } from "../support/outcome";
import { until } from "../support/polls";
import { requireTool } from "../support/processes/tools";
import { addressOf, mailDomain, openMail, type Sender, speak } from "../support/servers/mail";
import { makeCertificate } from "../support/servers/relay";
import { newest } from "../support/servers/webhooks";
import { makeWorld, type World } from "../support/world";

const hasTool = requireTool("openssl");

let world: World;
let outside: Sender;
let general: string;

async function begin(flags: Record<string, string> = {}) {
  world = await makeWorld({ channel_email_domain: mailDomain, ...flags });
  outside = await openMail(world.app);
  general = await addressOf(world.alice, world.channels.general);
}
async function end() {
  await outside.close();
  await world.close();
}

/** A connection that is kept open, with what was said on it. */
interface Held {
  socket: Socket;
  said(): string;
  /** Sends a line and waits for an answer that begins like that. */
  ask(line: string, answer: string): Promise<void>;
}

async function hold(): Promise<Held> {
  const socket = connect(outside.server.port, "127.0.0.1");
  let said = "";
  socket.on("data", (data) => {
    said += data.toString();
  });
  socket.on("error", () => undefined);
  const held: Held = {
    socket,
    said: () => said,
    async ask(line, answer) {
      said = "";
      socket.write(line);
      await until(() => said.includes(`${answer} `));
    },
  };
  await until(() => said !== "");
  return held;
}

async function holdRecipient(): Promise<Held> {
  const held = await hold();
  await held.ask("EHLO outside.example\r\n", "250");
  await held.ask("MAIL FROM:<>\r\n", "250");
  await held.ask(`RCPT TO:<${general}>\r\n`, "250");
  return held;
}

describe("A connection that brings mail", () => {
  beforeEach(() => begin({ smtp_connections_max: "4" }));
  afterEach(end);

  test("which breaks off is no error of the server, and leaves nothing behind", async () => {
    const { socket, ask } = await holdRecipient();
    await ask("DATA\r\n", "354");
    socket.write(`Subject: half\r\n\r\n${"x\r\n".repeat(50_000)}`);
    socket.destroy();
    await until(() => world.logged.some((line) => line.includes("mail_broken_off")));
    expect(world.logged.filter((line) => line.includes("mail_failed"))).toEqual([]);
    expect(await outside.send({ to: general, subject: "next", text: "whole" })).toStartWith("250 ");
    expect((await newest(world.alice)).subject).toBe("next");
  });

  test("brings none to an address that was replaced after it was named", async () => {
    const { socket, ask, said } = await holdRecipient();
    await renewChannelAddresses(world.operator, { id: world.channels.general });
    await ask("DATA\r\n", "354");
    await ask("Subject: late\r\n\r\nlate\r\n.\r\n", "550");
    expect(said()).toStartWith("550 5.1.1 There is no such address here");
    // The server would wait for it at its end.
    socket.end();
  });

  test("H6: is closed after ten minutes, and one address has only half of all", async () => {
    const [first, second] = [await hold(), await hold()];
    const third = await hold();
    expect(third.said()).toStartWith("421 4.7.0 Too many connections");
    await world.pass(300);
    await first.ask("NOOP\r\n", "250");
    await world.pass(301);
    await until(() => first.said().includes("421 4.4.2 "));
    await until(() => second.said().includes("421 4.4.2 "));
    for (const { socket } of [first, second, third]) socket.end();
    await until(() => first.socket.closed && second.socket.closed);
    expect((await speak(outside.server.port, []))[0]).toStartWith("220 ");
  });
});

describe("A mail with a file", () => {
  beforeEach(() => begin());
  afterEach(end);

  test("is to be sent again later while the gateway bot uploads as many as it may at once", async () => {
    const mail = { to: general, subject: "menu", text: "Here it is", messageId: "<1@outside>" };
    expect(await outside.send({ to: general, subject: "first", text: "x" })).toStartWith("250 ");
    const first = await newest(world.alice);
    const others = Promise.withResolvers<void>();
    const uploads = Array.from({ length: 20 }, () =>
      whileUploading(world.app, first.sender_id, () => others.promise),
    );
    const attachments = [{ filename: "menu.txt", content: "soup" }];
    expect(await outside.send({ ...mail, attachments })).toStartWith("451 4.3.2 ");
    expect(await newest(world.alice)).toEqual(first);
    expect(world.logged.filter((line) => line.includes("mail_failed"))).toEqual([]);
    others.resolve();
    await Promise.all(uploads);
    expect(await outside.send({ ...mail, attachments })).toStartWith("250 ");
    expect((await newest(world.alice)).content).toMatch(/\[menu\.txt\]\(\/user_uploads\//);
  });
});

describe.skipIf(!hasTool)("A mail comes encrypted", () => {
  test("where there is a certificate, and what was said in clear behind STARTTLS counts for nothing", async () => {
    const { cert, file } = makeCertificate();
    await begin({ smtp_tls_certificate: file, smtp_tls_key: file.replace("cert.pem", "key.pem") });
    const transport = createTransport({
      host: "127.0.0.1",
      port: outside.server.port,
      requireTLS: true,
      tls: { ca: cert },
    });
    const { response } = await transport.sendMail({
      from: "o@outside.example",
      to: general,
      subject: "s",
      text: "x",
    });
    expect([response, (await newest(world.alice)).subject]).toEqual([
      expect.stringMatching(/^250 /),
      "s",
    ]);
    const smuggled = `MAIL FROM:<>\r\nRCPT TO:<${general}>\r\nDATA\r\nSubject: smuggled\r\n\r\nx\r\n.\r\n`;
    const held = await hold();
    await held.ask("EHLO outside.example\r\n", "250");
    expect(held.said()).toContain("STARTTLS");
    await held.ask(`STARTTLS\r\n${smuggled}`, "220");
    held.socket.destroy();
    await transport.sendMail({
      from: "o@outside.example",
      to: general,
      subject: "after",
      text: "x",
    });
    const { body } = await world.alice.get("/messages", {
      anchor: "newest",
      num_before: 5,
      num_after: 0,
    });
    const subjects = body.messages.map(({ subject }: { subject: string }) => subject);
    expect([subjects.at(-1), subjects.includes("smuggled")]).toEqual(["after", false]);
    transport.close();
    await end();
  });

  test("with the certificate that lies there by now, as they are renewed", async () => {
    const [first, second] = [makeCertificate(), makeCertificate()];
    const keyFile = first.file.replace("cert.pem", "key.pem");
    await begin({ smtp_tls_certificate: first.file, smtp_tls_key: keyFile });
    const send = (ca: Buffer) =>
      createTransport({
        host: "127.0.0.1",
        port: outside.server.port,
        requireTLS: true,
        tls: { ca },
      })
        .sendMail({ from: "o@outside.example", to: general, subject: "s", text: "x" })
        .then(({ accepted }) => accepted.length);
    expect(await send(first.cert)).toBe(1);
    writeFileSync(first.file, "half a certifi");
    await world.pass(3_600);
    expect(world.logged.filter((line) => line.includes("mail_certificate_failed"))).toHaveLength(1);
    expect(await send(first.cert)).toBe(1);
    writeFileSync(first.file, second.cert);
    writeFileSync(keyFile, second.key);
    await world.pass(3_600);
    expect(await send(second.cert)).toBe(1);
    expect(await outcomeOf(send(first.cert))).toThrow();
    await end();
  });

  test("and the server does not start with a certificate that has no key, or not its own", async () => {
    const { file } = makeCertificate();
    world = await makeWorld({ channel_email_domain: mailDomain, smtp_tls_certificate: file });
    expect(await outcomeOf(openMail(world.app))).toThrow(
      "smtp_tls_certificate and smtp_tls_key belong together",
    );
    await world.close();
    const other = makeCertificate().file.replace("cert.pem", "key.pem");
    world = await makeWorld({
      channel_email_domain: mailDomain,
      smtp_tls_certificate: file,
      smtp_tls_key: other,
    });
    expect(await outcomeOf(openMail(world.app))).toThrow(
      `${other} does not hold the key of the certificate in ${file}`,
    );
    await world.close();
  });
});
