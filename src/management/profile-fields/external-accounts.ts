/** A kind of account on another site, whose address is made from the user name. */
interface ExternalAccount {
  name: string;
  text: string;
  hint: string;
  /** With `%(username)s`. */
  url_pattern: string;
}

/** The known kinds, which an organization need not describe. */
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
