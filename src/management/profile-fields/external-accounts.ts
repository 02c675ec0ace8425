/** A kind of account elsewhere, whose address is made from the name there. */
export interface ExternalAccount {
  name: string;
  text: string;
  hint: string;
  /** With `%(username)s`. */
  url_pattern: string;
}

/** The kinds that every organization can ask for without describing them. */
export const externalAccounts: Readonly<Record<string, ExternalAccount>> = {
  twitter: {
    name: "Twitter username",
    text: "Twitter",
    hint: "",
    url_pattern: "https://twitter.com/%(username)s",
  },
  github: {
    name: "GitHub username",
    text: "GitHub",
    hint: "",
    url_pattern: "https://github.com/%(username)s",
  },
};
