import { anomalousPayload, badRequest, unsupportedEventType } from "../../core/errors";
import type { EventForm, Integration } from "./integration";
import { fieldsOf, type Posted } from "./payload";
import { codeBlock } from "./safe-text";
import type { Message } from "./slack";
import { fillTemplate, parseTemplate, type Template } from "./template";

/** Message made of a post; without a message, the event is ignored. */
export interface Composed {
  /** The event, as `only_events` may name it; undefined for integrations without events. */
  event?: string;
  /** More names of the event, from Zulip. */
  zulipNames?: readonly string[];
  /** Branches that the post is a push to. */
  branches?: readonly string[];
  /** Whether it is from a private repository. */
  isPrivate?: boolean;
  message?: Message;
  /** Whether the message is for the bot's owner alone. */
  isForOwner?: boolean;
}

const parsed = new Map<string, Template>();

/** A built-in template, parsed once. */
function templateOf(source: string): Template {
  const template = parsed.get(source) ?? parseTemplate(source);
  parsed.set(source, template);
  return template;
}

/**
 * Message for a post of a service that the server knows. Refuses a post that is not from the
 * service (ANOMALOUS_WEBHOOK_PAYLOAD), and an unknown event (UNSUPPORTED_WEBHOOK_EVENT_TYPE, with
 * the status 200).
 */
export function composeEvent(integration: Integration, posted: Posted): Composed {
  const { title, listName, prepare, words } = integration;
  const { payload: given } = posted;
  const isNamed = listName !== undefined && Array.isArray(given);
  const fields = fieldsOf(isNamed ? { [listName]: given } : given, title);
  const event = integration.event(posted);
  if (event === "") throw anomalousPayload(title);
  const form = findForm(integration, event);
  if (form === null) return { event };
  const payload = { ...fields, ...prepare?.(fields, posted) };
  const filling = { payload, ...(words ? { words } : {}) };
  const message = fillForm(templateOf(form.topic), templateOf(form.text), filling);
  return {
    event,
    zulipNames: integration.zulipNames?.(event, posted) ?? [],
    branches: integration.branches?.(posted) ?? [],
    isPrivate: integration.isPrivate?.(given) === true,
    message,
    isForOwner: form.isForOwner === true,
  };
}

/** Longer than the name of any event: the search for its form takes quadratic time. */
const eventLengthMax = 200;

function findForm({ forms, title }: Integration, event: string): EventForm | null {
  const words = event.length > eventLengthMax ? [] : event.split(":");
  for (let count = words.length; count > 0; count--) {
    const name = words.slice(0, count).join(":");
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (form !== undefined) return form;
  }
  throw unsupportedEventType(title, event.slice(0, 100));
}

const fillForm = (
  topic: Template,
  text: Template,
  filling: Parameters<typeof fillTemplate>[1],
): Message => ({
  topic: fillTemplate(topic, { ...filling, isTopic: true }),
  text: fillTemplate(text, filling),
});

/**
 * Message that an organization's own templates make of JSON. Refuses (BAD_REQUEST) an empty one.
 */
export function composeByTemplate(
  { topic, content }: { topic: string; content: string },
  payload: unknown,
): Composed {
  const message = fillForm(parseTemplate(topic), parseTemplate(content), { payload });
  if (message.text === "")
    throw badRequest("The template gives an empty message for this payload: check its paths.");
  return { message };
}

/** JSON as a code block. Source: the integration of that name of the reference server. */
export const composeJson = (payload: unknown): Composed => ({
  message: { topic: "JSON", text: codeBlock(JSON.stringify(payload, null, 2), "json") },
});
