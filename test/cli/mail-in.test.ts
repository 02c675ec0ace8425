import { expect, test } from "bun:test";
import { createTransport } from "nodemailer";
import { Client } from "../support/client";
import { errorOf } from "../support/outcome";
import { addressOf, mailDomain } from "../support/servers/mail";
import { newest } from "../support/servers/webhooks";
import { chatd, freshFolder, serve } from "./chatd";

const ownerOf = (output: string) => ({
  email: "owner@example.com",
  apiKey: JSON.parse(output).api_key,
});

const receiving = [
  "--ephemeral",
  "--smtp-port",
  "0",
  "--channel-email-domain",
  mailDomain,
  "--json",
];

test("chatd serve --smtp-port receives mail to channels, and says where", async () => {
  const server = await serve(receiving);
  const port: number = JSON.parse(server.stdout()).smtp_port;
  const owner = new Client(server.site, "localhost", ownerOf(server.stdout()));
  const { body } = await owner.get("/users/me/subscriptions");
  const to = await addressOf(owner, body.subscriptions[0].stream_id);
  const transport = createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
  const mail = {
    from: "otto@outside.example",
    to,
    subject: "lunch",
    html: "<p>The soup is <b>ready</b>.</p>",
  };
  const attachments = [{ filename: "menu.txt", content: "soup" }];
  await transport.sendMail({ ...mail, attachments });
  expect(await newest(owner)).toMatchObject({
    subject: "lunch",
    content: expect.stringContaining("The soup is ready."),
  });
  transport.close();
  expect(await server.stop()).toBe(0);
});

test("chatd serve --smtp-host receives mail at another address than the pages", async () => {
  const server = await serve([...receiving, "--smtp-host", "127.0.0.2"]);
  expect(new URL(server.site).hostname).not.toBe("127.0.0.2");
  const port: number = JSON.parse(server.stdout()).smtp_port;
  const transport = createTransport({ host: "127.0.0.2", port, ignoreTLS: true });
  expect(await transport.verify()).toBe(true);
  transport.close();
  const elsewhere = createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
  expect(String(await errorOf(elsewhere.verify()))).toContain("ECONNREFUSED");
  expect(await server.stop()).toBe(0);
});

test("chatd serve --smtp-port does not start without a domain, or with a port that is taken", async () => {
  const without = await chatd(["serve", "--ephemeral", "--port", "0", "--smtp-port", "0"]);
  expect([without.code, without.stderr]).toEqual([
    2,
    expect.stringContaining("channel_email_domain"),
  ]);
  const server = await serve(["--ephemeral"]);
  const { port } = new URL(server.site);
  const data = freshFolder();
  const where = [
    "--host",
    "127.0.0.1",
    "--port",
    "0",
    "--smtp-port",
    port,
    "--channel-email-domain",
    mailDomain,
  ];
  const taken = await chatd(["serve", "--data", data, ...where]);
  expect([taken.code, taken.stderr]).toEqual([
    1,
    expect.stringContaining(`Port ${port} of 127.0.0.1 is in use`),
  ]);
  await server.stop();
  const next = await serve(["--data", data, "--json"]);
  expect(ownerOf(next.stdout()).apiKey).toMatch(/^\S{32}$/);
  await next.kill();
});
