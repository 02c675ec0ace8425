/** A fact that the server has written into the page; empty where it has not. */
const factOf = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";

/**
 * The token that requests of the page's session carry as `X-CSRFToken` when they change something,
 * so that no other site can send them. After signing in anew, `/account/session` tells another one.
 */
export const csrfTokenOfPage = (): string => factOf("csrf-token");

/** The id of the person whose page it is. */
export const userOfPage = (): number => Number(factOf("user"));

/** The id of the build of the web client that the page was opened with. */
export const buildOfPage = (): string => factOf("build");
