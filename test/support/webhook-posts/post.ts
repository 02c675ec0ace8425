/**
 * What a service posts, and the message that is to come of it; without a topic nothing is to be
 * said.
 */
export interface Post {
  what: string;
  integration: string;
  headers?: Record<string, string>;
  payload: object;
  topic?: string;
  text?: string;
}
