import { each, type Shown, shows } from "./shown";

const shownTo = "K3: changes for those whom that concerns, and for nobody else";
const group = "POST /user_groups/create";
const profile = "POST /realm/profile_fields";
const person = "realm_user (update):";

/** People, their groups and what they tell of themselves. */
export const peopleRows: Shown[] = [
  shows(
    "people/users.test.ts",
    "everybody sees the people and bots of their organization, and no others",
    [
      "concept: users, of role owner, administrator, moderator",
      "endpoint: GET /users",
      "answer: GET /users members",
    ],
    each(
      "field: User object",
      "user_id delivery_email email full_name date_joined is_active is_owner is_admin",
    ),
    each(
      "field: User object",
      "is_guest is_bot bot_type bot_owner_id role timezone avatar_version is_imported_stub",
    ),
  ),
  shows(
    "people/users.test.ts",
    "a list of ids limits the answer to those that exist here",
    "parameter: GET /users user_ids",
  ),
  shows(
    "people/users.test.ts",
    "pictures and profile fields are there when asked for",
    each("field: User object", "avatar_url profile_data"),
    each("parameter: GET /users", "client_gravatar include_custom_profile_fields"),
  ),
  shows(
    "people/users.test.ts",
    "one user is found by id, by address in any case, and by the placeholder",
    "endpoint: GET /users/{email}",
    "parameter: GET /users/{email} email",
    "answer: GET /users/{email} user",
  ),
  shows(
    "people/users-address.test.ts",
    "K3: is shown to those whom she lets read it, and to herself",
    "parameter: GET /users/{email} client_gravatar",
  ),
  shows(
    "realm/profile-fields.test.ts",
    "Each type of field takes its own values, shown to those who ask for them",
    "parameter: GET /users/{email} include_custom_profile_fields",
    [
      "field type: 1 Short text",
      "field type: 2 Paragraph",
      "field type: 3 Dropdown",
      "field type: 4 Date",
    ],
    [
      "field type: 5 Link",
      "field type: 6 Users",
      "field type: 7 External account",
      "field type: 8 Pronouns",
    ],
  ),
  shows(
    "people/users.test.ts",
    "is announced to the organization for the user and for the bots that they own",
    ["state: user account: active", "state: user account: deactivated"],
    `event: ${person} deactivation/reactivation`,
  ),
  shows(
    "people/users.test.ts",
    "a new role is announced with the groups that it brings and takes",
    ["event: realm_user", "event: realm_user (update)", "event field: realm_user (update) person"],
  ),
  shows("people/users-address.test.ts", shownTo, [
    `event: ${person} delivery email`,
    `event: ${person} API email change`,
  ]),
  shows(
    "people/settings-own.test.ts",
    "is another one at once, for whoever shows the password",
    each(`event field: ${person} delivery email`, "user_id delivery_email"),
    each(`event field: ${person} API email change`, "user_id new_email"),
  ),
  shows(
    "people/users-delete.test.ts",
    "is nobody any more: nothing tells who it was, and their messages stay",
    ["field: User object is_deleted", "state: user account: permanently deleted"],
  ),
  shows(
    "bots/bots-change.test.ts",
    "is theirs from then on: the former owner sees and administers it no more",
    `event: ${person} bot owner change and role change`,
  ),
  shows(
    "bots/bots-create.test.ts",
    "of the generic kind is its maker's, a member, and signs in with the key that is answered",
    ["event: realm_bot", "version: 474", "field: User object bot_owner_id"],
  ),
  shows(
    "people/users.test.ts",
    "a bot is of one of four kinds, and somebody's; a person is of none",
    each("field: User object", "bot_type bot_owner_id is_bot"),
    "concept: users, of role owner, administrator, moderator",
  ),
  shows(
    "people/avatars.test.ts",
    "is theirs for everybody who sees them, and nobody elsewhere hears of it",
    `event: ${person} avatar`,
    each(
      `event field: ${person} avatar`,
      "user_id avatar_url avatar_source avatar_url_medium avatar_version",
    ),
  ),
  shows(
    "people/avatars.test.ts",
    "it is generated, if the organization wants that: for everybody at once, told to those who see them",
    `event field: ${person} avatar avatar_source`,
    "version: 466",
  ),
  shows(
    "sign-in/first-sign-in.test.ts",
    "joins when they sign in first: %s",
    "field: User object date_joined",
    "version: 475",
  ),
  shows(
    "sign-in/first-sign-in.test.ts",
    "who was brought along from another system is a stub until they sign in",
    `event: ${person} first login of an imported or API-created user`,
    each(
      `event field: ${person} first login of an imported or API-created user`,
      "user_id is_imported_stub",
    ),
    "field: User object is_imported_stub",
  ),
  shows(
    "people/visibility.test.ts",
    "finds the others in no list of a register; older clients get entries that tell nothing",
    "version: 437",
  ),
  shows(
    "people/user-groups-http.test.ts",
    "with members, subgroups and permissions, and everybody hears of it",
    "concept: user groups, which can hold users",
    "field: User group group_id",
    `endpoint: ${group}`,
    each(`parameter: ${group}`, "name description members subgroups"),
    `answer: ${group} group_id`,
    "event: user_group",
  ),
  shows(
    "people/user-groups-http.test.ts",
    "with every permission that it has, as they were asked for",
    "value: Group-setting value: 1. an integer: the ID of a",
    "value: Group-setting value: 2. an object: direct_members (integer[], IDs of",
    each("field: Group-setting value", "direct_members direct_subgroups"),
    each(
      `parameter: ${group}`,
      "can_add_members_group can_join_group can_leave_group can_manage_group",
    ),
    each(`parameter: ${group}`, "can_mention_group can_remove_members_group"),
  ),
  shows(
    "people/user-groups-http.test.ts",
    "only as the protocol says",
    "error: BAD_REQUEST: user group with invalid user ID",
  ),
  shows(
    "realm/profile-fields.test.ts",
    "Adam adds, changes, reorders and removes profile fields; everybody of the realm hears of it, nobody else",
    "field: Custom profile field id",
    `endpoint: ${profile}`,
    each(`parameter: ${profile}`, "hint field_type field_data required use_for_user_matching"),
    `answer: ${profile} id`,
  ),
  shows(
    "realm/profile-fields.test.ts",
    "A field has a name, but for an external account that has one of its own",
    `parameter: ${profile} name`,
  ),
  shows(
    "realm/profile-fields.test.ts",
    "Fields that make no sense are refused and nothing is stored",
    each(`parameter: ${profile}`, "display_in_profile_summary use_for_user_matching"),
    ["limit: profile summary fields", "version: 476", "version: 455"],
  ),
  shows(
    "realm/profile-fields.test.ts",
    "A field that only administrators fill in is refused to others; nobody below an owner fills in an owner's",
    `parameter: ${profile} editable_by_user`,
  ),
  shows(
    "realm/profile-fields.test.ts",
    "What is told in a profile field is told to others as value and, where it is Markdown, as HTML",
    `event: ${person} custom profile field`,
    each(
      `event field: ${person} custom profile field`,
      "user_id custom_profile_field id value rendered_value",
    ),
  ),
];
