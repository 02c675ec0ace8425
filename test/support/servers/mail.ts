import { connect } from "node:net";
import { createTransport, type SendMailOptions } from "nodemailer";
import { type MailServer, startMailServer } from "../../../src/mail/mail-in/server";
import type { Client } from "../client";
import type { World } from "../world";
import "./quick-greeting";

export const mailDomain = "mail.example.com";

/** Another mail server, which delivers mail from outside, one mail at a time. */
export interface Sender {
  /** Sends a mail and answers what came back: the first line, or the refusal. */
  send(mail: SendMailOptions): Promise<string>;
  server: MailServer;
  close(): Promise<void>;
}

/** The mail port of a world, and an outside sender that uses nodemailer. */
export async function openMail(app: World["app"]): Promise<Sender> {
  const server = await startMailServer(app);
  const transport = createTransport({ host: "127.0.0.1", port: server.port, ignoreTLS: true });
  return {
    server,
    async send(mail) {
      try {
        const { response } = await transport.sendMail({
          from: "Otto Outside <otto@outside.example>",
          ...mail,
        });
        return response;
      } catch (error) {
        if (error instanceof Error && "response" in error) return String(error.response);
        throw error;
      }
    },
    async close() {
      transport.close();
      await server.close();
    },
  };
}

/** The address of a channel for a sender, or of the gateway if no sender is named. */
export async function addressOf(
  person: Client,
  channelId: number,
  senderId?: number,
): Promise<string> {
  const parameters = senderId === undefined ? {} : { sender_id: senderId };
  const { status, body } = await person.get(`/streams/${channelId}/email_address`, parameters);
  if (status !== 200) throw new Error(`no address: ${JSON.stringify(body)}`);
  return body.email;
}

/**
 * Speaks SMTP by hand: sends line after line, each when the one before has been answered, and gives
 * all answers.
 */
export function speak(port: number, lines: readonly string[]): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<string[]>();
  const answers: string[] = [];
  const left = [...lines];
  const socket = connect(port, "127.0.0.1");
  let said = "";
  socket.on("data", (data) => {
    said += data.toString();
    if (!/^\d{3} .*\r\n$/m.test(said)) return;
    answers.push(said.trim().split("\r\n").at(-1) ?? "");
    said = "";
    const next = left.shift();
    if (next === undefined) socket.end();
    else socket.write(next);
  });
  socket.on("close", () => resolve(answers));
  socket.on("error", reject);
  return promise;
}
