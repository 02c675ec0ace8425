export const Snippets = () => null;
