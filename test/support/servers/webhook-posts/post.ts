/** Post of a service with the expected message; without a topic no message is expected. */
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
