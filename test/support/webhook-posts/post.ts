/**
 * Post of a service, and the message that is to come of it; without a topic there is to be none.
 */
export interface Post {
  what: string;
  integration: string;
  headers?: Record<string, string>;
  payload: object;
  topic?: string;
  text?: string;
}
