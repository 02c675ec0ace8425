import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { placeBeside } from "./floating";
import { Icon, type IconName } from "./icon";
import { useLeftPlace } from "./left-place";
import { moveFocus } from "./roving";

/** An item of a menu. */
export interface MenuItem {
  readonly name: string;
  readonly icon: IconName;
  /** The key that does it without the menu. */
  readonly keys?: string;
  readonly isDangerous?: boolean;
  run(): void;
}

interface Menu {
  readonly label: string;
  /** Groups of items, separated by lines. */
  readonly groups: readonly (readonly MenuItem[])[];
  /** The element beside which the menu is shown. */
  readonly anchor: HTMLElement;
  /** Called after the menu was closed, whether or not something was chosen. */
  onClose?(): void;
}

const openMenu = signal<Menu | undefined>(undefined);

/**
 * Opens a menu and closes any other. If the open menu was opened beside this anchor, it is only
 * closed.
 */
export function showMenu(menu: Menu): void {
  const before = openMenu.value;
  openMenu.value = before?.anchor === menu.anchor ? undefined : menu;
  before?.onClose?.();
}

/** Draws the open menu. There is only one, because at most one menu is open. */
export function MenuHost() {
  const menu = openMenu.value;
  return menu ? <OpenMenu key={menu} menu={menu} /> : null;
}

function close(menu: Menu): void {
  if (openMenu.value !== menu) return;
  openMenu.value = undefined;
  menu.onClose?.();
}

function OpenMenu({ menu }: { menu: Menu }) {
  const element = useRef<HTMLDivElement>(null);
  // The browser tells only a moment later that the menu was hidden. Keys that are pressed until
  // then must find it closed.
  const hide = () => {
    element.current?.hidePopover();
    close(menu);
  };
  useLeftPlace(hide);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const anchor = menu.anchor.getBoundingClientRect();
    current.showPopover();
    placeBeside(current, anchor);
    itemsIn(current)[0]?.focus();
  }, [menu]);
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys of the page must not act on anything behind a menu.
    event.stopPropagation();
    const { current } = element;
    if (!current) return;
    if (event.key === "Tab" || event.key === "Escape") {
      event.preventDefault();
      hide();
    } else if (!moveFocus(event, itemsIn(current), "vertical")) focusByLetter(event, current);
  };
  return (
    <div
      ref={element}
      popover="auto"
      class="menu"
      role="menu"
      aria-label={menu.label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onToggle={(event) => {
        if (event.newState === "closed") close(menu);
      }}
    >
      {menu.groups
        .filter((group) => group.length > 0)
        .flatMap((group, index) => [
          index > 0 && <hr key={`before ${group[0]?.name}`} />,
          ...group.map((item) => <Item key={item.name} item={item} hide={hide} />),
        ])}
    </div>
  );
}

const Item = ({ item, hide }: { item: MenuItem; hide: () => void }) => (
  <button
    type="button"
    role="menuitem"
    tabIndex={-1}
    class={item.isDangerous ? "item dangerous" : "item"}
    onClick={() => {
      hide();
      item.run();
    }}
  >
    <Icon name={item.icon} />
    <span>{item.name}</span>
    {item.keys !== undefined && <small aria-hidden="true">{item.keys}</small>}
  </button>
);

const itemsIn = (element: HTMLElement): HTMLElement[] => [
  ...element.querySelectorAll<HTMLElement>("[role=menuitem]"),
];

/** A letter key focuses the next item that begins with it. */
function focusByLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, menu: HTMLElement): void {
  if (key.length !== 1 || ctrlKey || metaKey || altKey) return;
  const items = itemsIn(menu);
  const current = items.findIndex((item) => item.matches(":focus"));
  const fromHere = [...items.slice(current + 1), ...items.slice(0, current + 1)];
  const letter = key.toLocaleLowerCase();
  fromHere
    .find(({ textContent }) => textContent?.trim().toLocaleLowerCase().startsWith(letter))
    ?.focus();
}
