import { each, type Integration } from "../integration";
import { pickText } from "../payload";
import { signedWithDate } from "../signature";

/* Programs in which an organization publishes. */

const topic = "WordPress notification";

/**
 * Hooks of WordPress that a plug-in posts with their fields, as HookPress does: a form, or JSON.
 * Source: HookPress itself, its hooks.php and includes.php.
 */
export const wordpress: Integration = {
  name: "wordpress",
  title: "WordPress",
  event: ({ payload }) => pickText(payload, "hook").trim(),
  forms: {
    ...each("", ["publish_post", "publish_page"], {
      topic,
      text: "New {post_type|post} published:\n* {?post_url}[{post_title|without a title}]({post_url:url}){/post_url}{^post_url}{post_title|without a title}{/post_url}",
    }),
    user_register: {
      topic,
      text: "New blog user registered:\n* **Name**: {display_name|none}{?user_email}\n* **Email**: {user_email}{/user_email}",
    },
    wp_login: { topic, text: "User {user_login|of no name} logged in." },
  },
};

const translation = "the resource {resource:name}";
const translationForm = (text: string) => ({ topic: "{project} in {language}", text });

/** Webhooks of a project. Source: help.transifex.com, Webhooks. */
export const transifex: Integration = {
  name: "transifex",
  title: "Transifex",
  signature: signedWithDate("x-tx-signature-v2", "x-tx-url"),
  event: ({ payload }) => pickText(payload, "event"),
  forms: {
    translation_completed: translationForm(`All of ${translation} is **translated**.`),
    translation_completed_updated: translationForm(
      `A text of ${translation}, which is translated, has changed.`,
    ),
    review_completed: translationForm(`All of ${translation} is **reviewed**.`),
    proofread_completed: translationForm(`All of ${translation} is **proofread**.`),
    fillup_completed: translationForm(`The gaps of ${translation} are **filled**.`),
  },
};
