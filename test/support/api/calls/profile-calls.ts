import type { Person, World } from "../../world";
import { administrators, type Calls, everyone, people as peopleAnywhere, signedOut } from "./call";
import { newName } from "./things";

const path = "/realm/profile_fields";

async function newField(olga: Person): Promise<number> {
  return (await olga.post(path, { name: newName("Field"), field_type: 1 })).body.id;
}

/**
 * Everybody may fill in their own profile; bots have none, and the outsider's organization has no
 * such field.
 */
const people = { ...peopleAnywhere, outsider: "400 BAD_REQUEST" };

export const profileCalls: Calls = {
  "GET /realm/profile_fields": { outcomes: everyone, prepare: () => ({}) },
  "POST /realm/profile_fields": {
    by: "olga",
    outcomes: administrators,
    prepare: () => ({ parameters: { name: newName("Field"), field_type: 1 } }),
  },
  "PATCH /realm/profile_fields": {
    by: "olga",
    outcomes: {
      ...signedOut,
      owner: "ok",
      administrator: "ok",
      others: "400 UNAUTHORIZED_PRINCIPAL",
    },
    prepare: async ({ olga }: World) => {
      await newField(olga);
      const fields: { id: number }[] = (await olga.get(path)).body.custom_fields;
      return { parameters: { order: fields.map(({ id }) => id).reverse() } };
    },
  },
  "PATCH /realm/profile_fields/{field_id}": {
    by: "olga",
    outcomes: administrators,
    prepare: async ({ olga }) => ({
      path: { field_id: await newField(olga) },
      parameters: { hint: "A hint" },
    }),
  },
  "DELETE /realm/profile_fields/{field_id}": {
    by: "olga",
    outcomes: administrators,
    prepare: async ({ olga }) => ({ path: { field_id: await newField(olga) } }),
  },
  "PATCH /users/me/profile_data": {
    outcomes: people,
    servesAll: true,
    prepare: async ({ olga }) => ({
      parameters: { data: [{ id: await newField(olga), value: "soup" }] },
    }),
  },
  "DELETE /users/me/profile_data": {
    outcomes: people,
    prepare: async ({ olga }, caller) => {
      const id = await newField(olga);
      await caller.patch("/users/me/profile_data", { data: [{ id, value: "soup" }] });
      return { parameters: { data: [id] } };
    },
  },
};
