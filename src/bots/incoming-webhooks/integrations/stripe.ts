import { type EventForms, each, type Integration } from "../integration";
import { pick, pickText } from "../payload";
import { signedWithTime } from "../signature";

const at = "data.object";
const page = (kind: string) => `https://dashboard.stripe.com/${kind}/`;
const linked = (label: string, kind: string) => `[${label}](${page(kind)}{${at}.id:segment})`;
const customer = `{?${at}.customer} for [{${at}.customer}](${page("customers")}{${at}.customer:segment}){/${at}.customer}`;
const because = (name: string) =>
  `{?${at}.${name}}: {${at}.${name}}{/${at}.${name}}{^${at}.${name}}.{/${at}.${name}}`;

const payments: EventForms = {
  ...each("", ["charge.succeeded", "charge.failed", "charge.captured", "charge.expired"], {
    topic: "charges",
    text: `${linked("Charge", "payments")} of {money}${customer} {type:say}${because("failure_message")}`,
  }),
  // Also sent for a refund of a part.
  "charge.refunded": {
    topic: "charges",
    text:
      `{?refundedPart}{refundedPart} of the ${linked("charge", "payments")} of {money}${customer} has been refunded.{/refundedPart}` +
      `{^refundedPart}${linked("Charge", "payments")} of {money}${customer} was refunded.{/refundedPart}`,
  },
  ...each(
    "",
    ["payment_intent.succeeded", "payment_intent.payment_failed", "payment_intent.canceled"],
    {
      topic: "payments",
      text: `${linked("Payment", "payments")} of {money}${customer} {type:say}${because("last_payment_error.message")}`,
    },
  ),
  ...each(
    "",
    ["payment_intent.created", "charge.updated", "charge.pending", "balance.available"],
    null,
  ),
  ...each("", ["charge.dispute.created", "charge.dispute.updated", "charge.dispute.closed"], {
    topic: "disputes",
    text: `${linked("Dispute", "disputes")} over {money} {type:say} ({${at}.status:words}): {${at}.reason:words}.`,
  }),
  ...each("", ["payout.created", "payout.paid", "payout.failed", "payout.canceled"], {
    topic: "payouts",
    text: `${linked("Payout", "payouts")} of {money} {type:say}.`,
  }),
};

const subscriptions: EventForms = {
  ...each("", ["customer.created", "customer.deleted"], {
    topic: "customers",
    text: `${linked(`Customer {${at}.name|without a name}`, "customers")} {type:say}{?${at}.email} ({${at}.email:name}){/${at}.email}.`,
  }),
  "customer.updated": null,
  ...each(
    "",
    [
      "customer.subscription.created",
      "customer.subscription.deleted",
      "customer.subscription.updated",
      "customer.subscription.paused",
      "customer.subscription.resumed",
    ],
    {
      topic: "subscriptions",
      text: `${linked("Subscription", "subscriptions")}${customer} {type:say} (it is {${at}.status:words} now).`,
    },
  ),
  "customer.subscription.trial_will_end": {
    topic: "subscriptions",
    text: `The trial of ${linked("subscription", "subscriptions")}${customer} ends {${at}.trial_end:time|soon}.`,
  },
  ...each(
    "",
    [
      "invoice.paid",
      "invoice.payment_failed",
      "invoice.finalized",
      "invoice.voided",
      "invoice.marked_uncollectible",
      "invoice.payment_action_required",
    ],
    {
      topic: "invoices",
      text: `${linked(`Invoice {${at}.number}`, "invoices")} over {money}${customer} {type:say}.`,
    },
  ),
  ...each(
    "",
    ["invoice.created", "invoice.updated", "invoice.payment_succeeded", "invoice.upcoming"],
    null,
  ),
  "checkout.session.completed": {
    topic: "payments",
    text: `A checkout of {money} was completed{?${at}.customer_details.email} by {${at}.customer_details.email:name}{/${at}.customer_details.email}.`,
  },
};

/** Currencies that have no smaller unit. Source: docs.stripe.com, Supported currencies. */
const wholeCurrencies = new Set(
  "bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf".split(" "),
);
const amounts = ["amount", "amount_due", "amount_total", "total"];

/** Amount of money: `12.34 EUR`. Amounts are in the smallest unit. */
function money(payload: unknown, names: readonly string[] = amounts): string {
  const amount = names
    .map((name) => pick(payload, `${at}.${name}`))
    .find((value) => typeof value === "number");
  const currency = pickText(payload, `${at}.currency`).toLowerCase();
  if (amount === undefined) return "an unknown amount";
  const shown = wholeCurrencies.has(currency) ? String(amount) : (Number(amount) / 100).toFixed(2);
  return `${shown} ${currency.toUpperCase()}`.trim();
}

/** The part of a charge that was given back so far; empty where that is all of it. */
function refundedPart(payload: unknown): string {
  const isPart =
    pick(payload, `${at}.refunded`) === false && pick(payload, `${at}.amount_refunded`) != null;
  return isPart ? money(payload, ["amount_refunded"]) : "";
}

/** Stripe's events. Source: docs.stripe.com/api/events/types. */
export const stripe: Integration = {
  name: "stripe",
  title: "Stripe",
  signature: signedWithTime("stripe-signature"),
  event: ({ payload }) => pickText(payload, "type"),
  prepare: (payload) => ({ money: money(payload), refundedPart: refundedPart(payload) }),
  forms: { ...payments, ...subscriptions },
  words: {
    "charge.succeeded": "succeeded",
    "charge.failed": "failed",
    "charge.captured": "was captured",
    "charge.expired": "expired",
    "payment_intent.succeeded": "succeeded",
    "payment_intent.payment_failed": "failed",
    "payment_intent.canceled": "was canceled",
    "charge.dispute.created": "was opened",
    "charge.dispute.updated": "was updated",
    "charge.dispute.closed": "was closed",
    "payout.created": "is on its way",
    "payout.paid": "was paid",
    "payout.failed": "failed",
    "payout.canceled": "was canceled",
    "customer.created": "was added",
    "customer.deleted": "was deleted",
    "customer.subscription.created": "has begun",
    "customer.subscription.deleted": "has ended",
    "customer.subscription.updated": "was changed",
    "customer.subscription.paused": "was paused",
    "customer.subscription.resumed": "was resumed",
    "invoice.paid": "was paid",
    "invoice.payment_failed": "could not be paid",
    "invoice.finalized": "was finalized",
    "invoice.voided": "was voided",
    "invoice.marked_uncollectible": "was marked uncollectible",
    "invoice.payment_action_required": "needs the customer to confirm the payment",
  },
};
