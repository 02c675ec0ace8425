import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { applyEvent, type Model, modelFrom } from "../model/snapshot";
import type { Event } from "../model/wire";
import { snapshot } from "./snapshot";

const model = signal<Model>(modelFrom(snapshot));

/** A feature of the model: it changes only where the feature does. */
const feature = <Name extends keyof Model>(name: Name): ReadonlySignal<Model[Name]> =>
  computed(() => model.value[name]);

export const me = feature("me");
export const server = feature("server");
export const organization = feature("organization");
export const settings = feature("settings");
export const users = feature("users");
export const channels = feature("channels");
export const channelFolders = feature("channelFolders");
export const userTopics = feature("userTopics");
export const unread = feature("unread");
export const conversations = feature("conversations");
export const emoji = feature("emoji");

/** Whether the server answers. */
export const isConnected = signal(true);

/** Folds events into the model, in one change. */
export function applyToModel(events: readonly Event[]): void {
  model.value = events.reduce(applyEvent, model.value);
}
