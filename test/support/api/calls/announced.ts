import { calls } from "./all-calls";
import { allEndpoints, type Call, endpointNames } from "./call";

/** Endpoints other than reads, which each need a call. */
export const changingEndpoints = endpointNames.filter(
  (name) => allEndpoints.get(name)?.method !== "GET",
);

/**
 * Calls that change something and announce it to people with keys. Ending a session is announced to
 * nobody: `sign-in/sessions` looks at its queues.
 */
export const announcedCalls = changingEndpoints.flatMap((name): [string, Call][] => {
  const call = calls[name];
  return call && !call.isForSessions && !call.isForNobody ? [[name, call]] : [];
});
