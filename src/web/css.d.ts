/**
 * Style sheets. The bundler takes the page's style sheets from the modules that import them. An
 * import with the type `file` gives an address, to be linked when the style sheet is needed.
 */
declare module "*.css" {
  const address: string;

  export = address;
}
