import type { World } from "../../world";
import { administrators, type Calls } from "./call";
import { newChannel, newName } from "./things";

async function newGroup({ olga }: World, stream_names: string[] = []): Promise<number> {
  const group_name = newName("Channels");
  await olga.post("/default_stream_groups/create", { group_name, description: "", stream_names });
  const { state } = await olga.register({ fetch_event_types: ["default_stream_groups"] });
  const groups: { id: number; name: string }[] = state.realm_default_stream_groups;
  return groups.find(({ name }) => name === group_name)?.id ?? -1;
}

/** The groups of channels that newcomers may choose. */
export const defaultGroupCalls: Calls = {
  "POST /default_stream_groups/create": {
    by: "olga",
    outcomes: administrators,
    prepare: async (world) => ({
      parameters: {
        group_name: newName("Channels"),
        description: "to begin with",
        stream_names: [(await newChannel(world)).name],
      },
    }),
  },
  "PATCH /default_stream_groups/{group_id}": {
    by: "olga",
    outcomes: administrators,
    prepare: async (world) => ({
      path: { group_id: await newGroup(world) },
      parameters: { new_group_name: newName("Channels"), new_description: "others" },
    }),
  },
  "PATCH /default_stream_groups/{group_id}/streams": {
    by: "olga",
    outcomes: administrators,
    prepare: async (world) => ({
      path: { group_id: await newGroup(world) },
      parameters: { op: "add", stream_names: [(await newChannel(world)).name] },
    }),
  },
  "DELETE /default_stream_groups/{group_id}": {
    by: "olga",
    outcomes: administrators,
    prepare: async (world) => ({
      path: { group_id: await newGroup(world, [(await newChannel(world)).name]) },
    }),
  },
};
