import { type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { badRequest } from "../../core/errors";

/** Actions of clients on a widget, by its kind: the exact content of such a submessage. */
const only = (type: string, fields: Record<string, TSchema>) =>
  Type.Object({ type: Type.Literal(type), ...fields }, { additionalProperties: false });

/**
 * Key of an option: its place in the message (`canned,0`), or the id of the person who added it
 * with its `idx`. Others are refused, because Zulip's mobile app cannot open a conversation with
 * them.
 */
const optionKeyForm = String.raw`^(?:canned|[1-9]\d{0,14}),(?:0|[1-9]\d{0,3})$`;
/** Highest `idx` of an option, because Zulip's clients ignore options with a higher one. */
const optionIndexMax = 1_000;

const forms: Record<string, Record<string, { schema: TSchema; isForAuthor?: true }>> = {
  poll: {
    vote: {
      schema: only("vote", {
        key: Type.String({ pattern: optionKeyForm }),
        vote: Type.Union([Type.Literal(1), Type.Literal(-1)]),
      }),
    },
    question: { schema: only("question", { question: Type.String() }), isForAuthor: true },
    new_option: {
      schema: only("new_option", {
        option: Type.String(),
        idx: Type.Integer({ minimum: 0, maximum: optionIndexMax }),
      }),
    },
  },
  todo: {
    new_task: {
      schema: only("new_task", {
        key: Type.Integer(),
        task: Type.String(),
        desc: Type.String(),
        completed: Type.Boolean(),
      }),
    },
    strike: { schema: only("strike", { key: Type.String() }) },
    new_task_list_title: {
      schema: only("new_task_list_title", { title: Type.String() }),
      isForAuthor: true,
    },
  },
};

const TypedData = Type.Object({ type: Type.String() });
const Widget = Type.Object({ widget_type: Type.String() });

/** Kind of a message's widget, by its first submessage. */
export function widgetType(first: string): string {
  const widget = parse(first);
  return Value.Check(Widget, widget) ? widget.widget_type : "";
}

/**
 * Refuses (BAD_REQUEST) content that is not JSON, not valid for the widget, or reserved to its
 * author.
 */
export function checkWidgetData(type: string, content: string, isAuthor: boolean) {
  const data = parse(content);
  if (!Value.Check(TypedData, data)) throw badRequest("content must be a JSON object with a type.");
  const typeForms = forms[type];
  const form = typeForms && Object.hasOwn(typeForms, data.type) ? typeForms[data.type] : undefined;
  if (!form) throw badRequest(`Unknown type '${data.type}' for this widget.`);
  if (!fits(form.schema, data)) throw badRequest(`content is not of the form of '${data.type}'.`);
  if (form.isForAuthor && !isAuthor)
    throw badRequest("Only the author of the message can change its title.");
}

const fits = (schema: TSchema, data: unknown): boolean => Value.Check(schema, data);

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw badRequest("content is not valid JSON.");
  }
}
