import { type Static, Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import type { Context, Person, Tx } from "../../core/context";
import { ApiError, badRequest, notFound } from "../../core/errors";
import { flag, type Input, optional, record, text } from "../../core/params";
import { isLonger } from "../../core/text/name";
import { write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { navigationViewAdded, navigationViewChanged, navigationViewRemoved } from "./events";
import { listNavigationViews, type NavigationView } from "./queries";
import { navigationViewObject, navigationViewWire } from "./wire";

export const fragmentLengthMax = 500;
export const viewNameLengthMax = 100;
const viewsMax = 500;

/** The built-in views of every client of the protocol, whose names clients know. */
const builtIn: ReadonlySet<string> = new Set([
  "inbox",
  "recent",
  "feed",
  "drafts",
  "scheduled",
  "reminders",
  "narrow/is/mentioned",
  "narrow/is/starred",
  "narrow/is/alerted",
  "narrow/has/reaction/sender/me",
]);

export const ListNavigationViews = record({});
export const NavigationViewList = record({ navigation_views: Type.Array(navigationViewObject) });

/** The views in the actor's navigation. */
export async function getNavigationViews({
  reader,
  realm,
  actor,
}: Context<Person>): Promise<Static<typeof NavigationViewList>> {
  const views = await listNavigationViews(reader, realm.id, actor.user.id);
  return { navigation_views: views.map(navigationViewWire) };
}

export const AddNavigationView = record({
  fragment: text(),
  isPinned: flag(),
  name: optional(text()),
});

/**
 * Adds a view to the navigation. Announces `navigation_view` add to the actor's clients. Refuses
 * (BAD_REQUEST) an existing view, a name for a built-in view, and a missing or taken name for any
 * other.
 */
export async function addNavigationView(
  ctx: Context<Person>,
  { fragment: given, isPinned, name }: Input<typeof AddNavigationView>,
): Promise<undefined> {
  const fragment = given.trim();
  if (fragment === "" || isLonger(fragment, fragmentLengthMax)) {
    throw badRequest(`'fragment' has 1 to ${fragmentLengthMax} characters.`);
  }
  const view = { fragment, isPinned, name: checkedName(fragment, name) };
  await write(ctx, async (tx) => {
    await renewContext(tx, ctx);
    const views = await ownViews(tx, ctx);
    if (views.some((one) => one.fragment === fragment))
      throw badRequest("You already have this view.");
    if (views.length >= viewsMax)
      throw badRequest(`You can have at most ${viewsMax} views in your navigation.`);
    requireFreeName(views, view);
    await tx.db.insert(tx.t.navigationViews).values({ ...ownerOf(ctx), ...view });
    await tx.emit(
      ownClients(ctx),
      navigationViewAdded({ navigation_view: navigationViewWire(view) }),
    );
  });
}

export const ChangeNavigationView = record({
  fragment: text(),
  isPinned: optional(flag()),
  name: optional(text()),
});

/**
 * Pins or unpins a view, or renames it. Announces `navigation_view` update to the actor's clients.
 * Refuses a missing view (NOT_FOUND), a request without changes, and names that `addNavigationView`
 * refuses (BAD_REQUEST).
 */
export async function changeNavigationView(
  ctx: Context<Person>,
  { fragment, isPinned, name }: Input<typeof ChangeNavigationView>,
): Promise<undefined> {
  if (isPinned === undefined && name === undefined) throw badRequest("Send 'is_pinned' or 'name'.");
  const newName = name === undefined ? undefined : checkedName(fragment, name);
  await write(ctx, async (tx) => {
    await renewContext(tx, ctx);
    const views = await ownViews(tx, ctx);
    const view = views.find((one) => one.fragment === fragment);
    if (!view) throw notFound("You have no such view.");
    const changed = { ...view, isPinned: isPinned ?? view.isPinned, name: newName ?? view.name };
    requireFreeName(views, changed);
    const { navigationViews } = tx.t;
    await tx.db
      .update(navigationViews)
      .set({ isPinned: changed.isPinned, name: changed.name })
      .where(isView(tx, ctx, fragment));
    const data = {
      ...(isPinned === undefined ? {} : { is_pinned: isPinned }),
      ...(typeof newName === "string" ? { name: newName } : {}),
    };
    await tx.emit(ownClients(ctx), navigationViewChanged({ fragment, data }));
  });
}

export const RemoveNavigationView = record({ fragment: text() });

/**
 * Removes a view. Announces `navigation_view` remove to the actor's clients. Refuses a missing one
 * (404).
 */
export async function removeNavigationView(
  ctx: Context<Person>,
  { fragment }: Input<typeof RemoveNavigationView>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    await renewContext(tx, ctx);
    const { navigationViews } = tx.t;
    const [removed] = await tx.db
      .delete(navigationViews)
      .where(isView(tx, ctx, fragment))
      .returning({ fragment: navigationViews.fragment });
    if (!removed) throw new ApiError("BAD_REQUEST", "You have no such view.", 404);
    await tx.emit(ownClients(ctx), navigationViewRemoved({ fragment }));
  });
}

const ownerOf = ({ realm, actor }: Context<Person>) => ({
  realmId: realm.id,
  userId: actor.user.id,
});
const ownClients = ({ actor }: Context<Person>) => ({ to: "users" as const, ids: [actor.user.id] });
const ownViews = (tx: Tx, { realm, actor }: Context<Person>) =>
  listNavigationViews(tx, realm.id, actor.user.id);

function isView(tx: Tx, ctx: Context<Person>, fragment: string) {
  const { navigationViews: t } = tx.t;
  const { realmId, userId } = ownerOf(ctx);
  return and(eq(t.realmId, realmId), eq(t.userId, userId), eq(t.fragment, fragment));
}

function checkedName(fragment: string, given: string | undefined): string | null {
  const name = given?.trim() ?? "";
  if (builtIn.has(fragment)) {
    if (name !== "") throw badRequest("Clients choose the name of this view: leave out 'name'.");
    return null;
  }
  if (name === "") throw badRequest("Give the view a name.");
  if (isLonger(name, viewNameLengthMax))
    throw badRequest(`The name of a view has at most ${viewNameLengthMax} characters.`);
  return name;
}

function requireFreeName(views: NavigationView[], { fragment, name }: NavigationView) {
  const isTaken =
    name !== null && views.some((one) => one.fragment !== fragment && one.name === name);
  if (isTaken) throw badRequest(`You have a view named ${name} already.`);
}
