import type { Answer, Queue, WireEvent } from "./client";
import type { Person } from "./world";

/** Opens an event queue for each of some people; `hear` reads them. */
export async function listen<Name extends string>(
  people: Record<Name, Person>,
  parameters: Record<string, unknown> = {},
): Promise<Record<Name, Queue>> {
  const queues: Partial<Record<Name, Queue>> = {};
  for (const name of Object.keys(people) as Name[])
    queues[name] = await people[name].register(parameters);
  return queues as Record<Name, Queue>;
}

/** Events that have arrived in each queue since the last call, in a short form. */
export async function hear<Name extends string, Short>(
  queues: Record<Name, Queue>,
  inShort: (event: WireEvent) => Short,
): Promise<Record<Name, Short[]>> {
  const heard: Partial<Record<Name, Short[]>> = {};
  for (const name of Object.keys(queues) as Name[])
    heard[name] = (await queues[name].events()).map(inShort);
  return heard as Record<Name, Short[]>;
}

/** Refusal of a request: `400 BAD_REQUEST`; `200` when it was not. */
export const refusal = ({ status, body }: Answer): string =>
  body.code ? `${status} ${body.code}` : `${status}`;
