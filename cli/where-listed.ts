import { ApiError } from "../src/core/errors";

/**
 * Answers a piece of work. A refusal because there is no such thing names the command that lists
 * what there is, for an operator who has mistyped it.
 */
export async function orWhereListed<Answer>(
  command: string,
  work: Promise<Answer>,
): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ApiError) || !/^(There is no|No such) /.test(error.message)) throw error;
    const message = `${error.message.replace(/\.$/, "")}. To list them: chatd admin ${command}`;
    throw new ApiError(error.code, message, error.status, error.data);
  }
}
