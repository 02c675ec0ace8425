/** Themes that people choose instead of their system's, by the value of `color_scheme`. */
export const themes: Readonly<Record<number, string>> = { 2: "dark", 3: "light" };
