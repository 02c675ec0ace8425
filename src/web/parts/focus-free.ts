/** Whether no element has the focus that a person has chosen. */
export const isFocusFree = (): boolean => document.activeElement?.matches("body, main") ?? true;
