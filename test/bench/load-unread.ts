import { type Connection, formatRequest, openConnections } from "./http-client";
import { authorizationOf, type Figures, type LoadTarget } from "./load-target";
import { cpuMs } from "./process-usage";
import { topicCount } from "./seeding";
import { quantile } from "./statistics";

const markedAtOnce = 100;
/**
 * Distance of the marked messages below the newest one: they are unread for everybody who has any.
 */
const markedBelow = 600;
/**
 * Of so many ids the register is measured as often as it takes for the clock of the server's CPU
 * time.
 */
const registersAtLeast = 60;

/**
 * So many requests are measured, whatever time they take: the server's CPU time is told in steps of
 * 10 ms.
 */
const measuredCount = 400;
const warmUpCount = 20;

/**
 * Sends requests one after the other on one connection, some of them in turns; the server's CPU
 * time of each.
 */
async function measureRequests(
  target: LoadTarget,
  connection: Connection,
  requests: string[],
): Promise<Figures> {
  const latenciesMs: number[] = [];
  let startCpuMs = 0;
  for (let index = -warmUpCount; index < measuredCount; index++) {
    if (index === 0) startCpuMs = cpuMs(target.pid);
    const sentMs = performance.now();
    const request = requests[(index + warmUpCount) % requests.length] ?? "";
    const { status } = await connection.request(request, false);
    if (status !== 200)
      throw new Error(`a request was refused with ${status}: ${request.slice(0, 80)}`);
    if (index >= 0) latenciesMs.push(performance.now() - sentMs);
  }
  const CpuUs = ((cpuMs(target.pid) - startCpuMs) * 1000) / measuredCount;
  connection.close();
  return { Ms: quantile(latenciesMs, 0.5), CpuUs };
}

async function connect({ port }: LoadTarget): Promise<Connection> {
  const [connection] = await openConnections(port, 1);
  if (!connection) throw new Error("no connection");
  return connection;
}

/** Repeats one request by one user. */
async function repeat(
  target: LoadTarget,
  method: "GET" | "POST",
  path: string,
  form?: string,
): Promise<Figures> {
  const request = formatRequest(method, `/api/v1${path}`, authorizationOf(target, 0), form);
  return measureRequests(target, await connect(target), [request]);
}

const aroundFirstUnread = "/messages?anchor=first_unread&num_before=50&num_after=50";
const narrowed = (...terms: [operator: string, operand: string][]) =>
  `narrow=${encodeURIComponent(JSON.stringify(terms))}`;
const asForm = (members: Record<string, string[]>) =>
  Object.entries(members)
    .map(([name, value]) => `${name}=${encodeURIComponent(JSON.stringify(value))}`)
    .join("&");

const stateWithoutMessages = asForm({
  event_types: ["presence"],
  fetch_event_types: ["realm_user", "subscription"],
});
const unreadMessages = asForm({
  event_types: ["message"],
  fetch_event_types: ["message", "update_message_flags"],
});

/** Marks some messages as read and as unread again, in turns. */
async function measureMarking(target: LoadTarget): Promise<Figures> {
  const connection = await connect(target);
  const authorization = authorizationOf(target, 0);
  const page = `/api/v1/messages?anchor=newest&num_before=${markedBelow}&num_after=0`;
  const { body } = await connection.request(formatRequest("GET", page, authorization), true);
  const { messages } = JSON.parse(body) as { messages: { id: number }[] };
  const ids = encodeURIComponent(
    JSON.stringify(messages.slice(0, markedAtOnce).map(({ id }) => id)),
  );
  const requests = ["add", "remove"].map((op) =>
    formatRequest(
      "POST",
      "/api/v1/messages/flags",
      authorization,
      `flag=read&op=${op}&messages=${ids}`,
    ),
  );
  return measureRequests(target, connection, requests);
}

/** Registers that tell of unread messages by id: what one costs the server, and what each id. */
async function measureIds(target: LoadTarget): Promise<Figures> {
  const connection = await connect(target);
  const request = formatRequest(
    "POST",
    "/api/v1/register",
    authorizationOf(target, 0),
    unreadMessages,
  );
  const { body } = await connection.request(request, true);
  const { unread_msgs } = JSON.parse(body) as { unread_msgs: { count: number } };
  const startMs = performance.now();
  const startCpuMs = cpuMs(target.pid);
  let registers = 0;
  for (
    ;
    registers < registersAtLeast || performance.now() < startMs + target.seconds * 1000;
    registers++
  ) {
    const { status } = await connection.request(request, false);
    if (status !== 200) throw new Error(`a register was refused: ${status}`);
  }
  const costMs = (cpuMs(target.pid) - startCpuMs) / registers;
  connection.close();
  return {
    Ms: (performance.now() - startMs) / registers,
    CpuMs: costMs,
    CpuUsPerId: (costMs * 1000) / unread_msgs.count,
  };
}

/** Work that must not cost more where more is unread, by the name of the scenario. */
export const measureUnread: Record<string, (target: LoadTarget) => Promise<Figures>> = {
  unreadFirst: (target) => repeat(target, "GET", aroundFirstUnread),
  unreadFirstOfTopic: (target) =>
    repeat(
      target,
      "GET",
      `${aroundFirstUnread}&${narrowed(["channel", target.channel], ["topic", `topic${topicCount - 1}`])}`,
    ),
  unreadNarrow: (target) =>
    repeat(
      target,
      "GET",
      `/messages?anchor=newest&num_before=100&num_after=0&${narrowed(["is", "unread"])}`,
    ),
  unreadPage: (target) =>
    repeat(
      target,
      "GET",
      `/messages?anchor=newest&num_before=100&num_after=0&${narrowed(["channel", target.channel])}`,
    ),
  unreadRegister: (target) => repeat(target, "POST", "/register", stateWithoutMessages),
  unreadMark: measureMarking,
  unreadIds: measureIds,
};
