import { each, type Integration } from "../integration";
import { pickText } from "../payload";

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
