/** Whether nothing that a person has chosen has the focus. */
export const isFocusFree = (): boolean => document.activeElement?.matches("body, main") ?? true;
