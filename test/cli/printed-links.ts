import { expect } from "bun:test";
import { Browser } from "../support/browser";

/** Addresses that sign somebody in, among lines that a server has printed. */
export const linksIn = (output: string) =>
  [
    ...output.matchAll(/^ {2}(?:(\S.*?) {2,})?(https?:\S+\/login\/link\/[A-Za-z0-9]{32})\r?$/gm),
  ].map(([, name = "", url = ""]) => ({ name, url }));

/** A browser in which somebody has opened a printed address and pressed its button. */
export async function pressed(url: string): Promise<Browser> {
  const { host, pathname, origin } = new URL(url);
  const browser = new Browser(origin, host, false);
  const page = await (await browser.open(pathname)).text();
  expect(page.match(/<button>/g)).toHaveLength(1);
  const answer = await browser.submit(pathname);
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
  return browser;
}

/** The name and the channels of who is signed in, from the state in the chat's page. */
export async function openChat(browser: Browser) {
  const page = await (await browser.open("/")).text();
  const json = /id="snapshot">([^<]*)</.exec(page)?.[1] ?? "{}";
  const { user_id, realm_users = [], subscriptions = [] } = JSON.parse(json);
  return {
    name: realm_users.find((one: { user_id: number }) => one.user_id === user_id)?.full_name,
    channels: subscriptions.map(({ name }: { name: string }) => name),
  };
}
