/**
 * Whether a client with this name, the first word of its User-Agent, is one of Zulip: an official
 * one, or one of others that is named after Zulip, such as `go-zulip`. Many of these can read no
 * message with a name that only our specification has.
 */
export const isZulipClient = (name: string): boolean => /zulip/i.test(name);
