/**
 * Post of a service, and the message that is to come of it; without a topic there is to be none.
 */
export interface Post {
  what: string;
  integration: string;
  headers?: Record<string, string>;
  payload: object;
  /** Whether it is posted as a form, whose fields are the members of the payload. */
  isForm?: true;
  topic?: string;
  text?: string;
}
