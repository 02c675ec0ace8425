import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { withPresences } from "../model/presence";
import { applyEvent, type Model, modelFrom } from "../model/snapshot";
import { withoutTyping } from "../model/typing";
import type { Event, Register } from "../model/wire";
import type { Snapshot } from "../net/register";
import { isKeptPage, laterEvents, snapshot } from "./snapshot";

const folded = signal<Model>(laterEvents.reduce(applyEvent, modelFrom(snapshot)));

/** Everything that the page knows about the organization. Components read its features below. */
export const model: ReadonlySignal<Model> = folded;

/** A signal for one feature of the model. It only changes when the feature changes. */
const feature = <Name extends keyof Model>(name: Name): ReadonlySignal<Model[Name]> =>
  computed(() => folded.value[name]);
export const me = feature("me");
export const server = feature("server");
export const organization = feature("organization");
export const settings = feature("settings");
export const alertWords = feature("alertWords");
export const profileFields = feature("profileFields");
export const groups = feature("groups");
export const users = feature("users");
export const channels = feature("channels");
export const channelFolders = feature("channelFolders");
export const defaultChannels = feature("defaultChannels");
export const userTopics = feature("userTopics");
export const unread = feature("unread");
export const conversations = feature("conversations");
export const starred = feature("starred");
export const emoji = feature("emoji");
export const drafts = feature("drafts");
export const snippets = feature("snippets");
export const scheduled = feature("scheduled");
export const reminders = feature("reminders");
export const playgrounds = feature("playgrounds");
export const mutedUsers = feature("mutedUsers");
export const presences = feature("presences");
export const statuses = feature("statuses");
export const typing = feature("typing");

/** Whether the server answers. */
export const isConnected = signal(!isKeptPage);

/** Applies events to the model, in one change. */
export function applyToModel(events: readonly Event[]): void {
  folded.value = events.reduce(applyEvent, folded.value);
}

/** Takes in presences from the server's answer to a report. */
export function takePresences(rows: Register["presences"]): void {
  folded.value = { ...folded.value, presences: withPresences(folded.value.presences, rows) };
}

/** Removes a typing person of whom nothing more was heard. */
export function forgetTyping(key: string, userId: number): void {
  folded.value = { ...folded.value, typing: withoutTyping(folded.value.typing, key, userId) };
}

/** Replaces the model by that of another `register`. */
export function replaceModel(renewed: Snapshot): void {
  folded.value = modelFrom(renewed);
}
