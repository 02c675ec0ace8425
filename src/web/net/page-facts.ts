/** A fact that the server has written into the page; empty if it is missing. */
const factOf = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";

/**
 * The CSRF token of the page's session. Requests that change something send it as `X-CSRFToken`.
 * After a new sign-in, `/account/session` returns the new token.
 */
export const csrfTokenOfPage = (): string => factOf("csrf-token");

/** The id of the person whose page it is. */
export const userOfPage = (): number => Number(factOf("user"));

/** The id of the web client's build with which the page was opened. */
export const buildOfPage = (): string => factOf("build");
