import { type AddressedMail, resolveChannelAddress } from "../../channels/email-address";
import type { App, RealmRow } from "../../core/context";
import { loadRealm } from "../../realm/queries";
import type { MailOptions } from "./read-mail";

/** Recipient of a mail, and the options for its text. */
export interface Recipient extends AddressedMail {
  realm: RealmRow;
  options: MailOptions;
}

/** Options that may follow the token of an address: `….token+show-sender@…`. */
const optionNames: Record<string, keyof MailOptions> = {
  "show-sender": "showSender",
  "include-quotes": "keepQuotes",
  "include-footer": "keepSignature",
  "prefer-html": "preferHtml",
};

/**
 * The channel of an address, with the address's options; undefined for an invalid address, and for
 * a channel or organization that no longer takes mail.
 */
export async function findRecipient(app: App, address: string): Promise<Recipient | undefined> {
  const { reader } = app.engine;
  const at = address.lastIndexOf("@");
  const [token = "", ...named] = address.slice(0, at).split("+");
  const options = readOptions(named);
  const addressed =
    options && (await resolveChannelAddress(app, reader, token + address.slice(at)));
  if (!addressed || addressed.channel.isArchived) return undefined;
  const realm = await loadRealm(reader, addressed.channel.realmId);
  return realm.isActive ? { ...addressed, realm, options } : undefined;
}

function readOptions(named: readonly string[]): MailOptions | undefined {
  const options = { showSender: false, keepQuotes: false, keepSignature: false, preferHtml: false };
  for (const name of named) {
    const option = optionNames[name.toLowerCase()];
    if (option === undefined) return undefined;
    options[option] = true;
  }
  return options;
}
