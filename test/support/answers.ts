import type { Answer } from "./client";

/** The status and the code of an answer: `400 BAD_REQUEST`. */
export const codeOf = ({ status, body }: Answer): string => `${status} ${body.code ?? ""}`.trim();
