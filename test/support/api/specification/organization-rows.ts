import { each, type Shown, shows } from "./shown";

const linkifier = "POST /realm/filters";

/** The organization's own data and settings. */
export const organizationRows: Shown[] = [
  shows(
    "realm/linkifiers.test.ts",
    "is there for everybody in the organization, who hear of it at once; nobody elsewhere",
    `endpoint: ${linkifier}`,
    each(`parameter: ${linkifier}`, "pattern url_template"),
    `answer: ${linkifier} id`,
    each("field: Linkifier", "id pattern url_template"),
  ),
  shows(
    "realm/linkifiers.test.ts",
    "is changed, removed and ordered; what is not sent of its example stays",
    each("field: Linkifier", "reverse_template alternative_url_templates example_input"),
    each(`parameter: ${linkifier}`, "reverse_template example_input"),
    "version: 471",
  ),
  shows(
    "realm/linkifiers.test.ts",
    "%s, and it changes nothing",
    each(`parameter: ${linkifier}`, "reverse_template alternative_url_templates example_input"),
  ),
  shows(
    "channels/channel-folders.test.ts",
    "Adam adds, changes, reorders and archives folders; everybody of the realm hears of it, nobody else",
    "concept: organization-wide data: channel folders, custom profile",
    "field: Channel folder channel_folder_id",
    "endpoint: POST /channel_folders/create",
    "answer: POST /channel_folders/create channel_folder_id",
    ["event: channel_folder", "event: channel_folder (reorder)", "version: 405-389"],
  ),
  shows(
    "channels/channel-folders.test.ts",
    "A folder without a name or with another's, a missing one and an order that is not whole are refused",
    each("parameter: POST /channel_folders/create", "name description"),
  ),
  shows(
    "realm/realm-settings.test.ts",
    "several settings are changed at once, each told in the form that the protocol has for it",
    ["event: realm", "event: realm (update_dict)"],
  ),
  shows(
    "joining/domains.test.ts",
    "Olga adds, changes and removes a domain; everybody of the realm hears of it, nobody else",
    "event: realm_domains",
  ),
  shows(
    "realm/settings-defaults.test.ts",
    "are the organization's defaults and its language; those who are there keep theirs",
    "event: realm_user_settings_defaults",
  ),
];
