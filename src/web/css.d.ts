/**
 * Style sheets. The bundle takes those of the page from the modules that import them; one that is
 * imported with the type `file` is an address, to be linked when it is needed.
 */
declare module "*.css" {
  const address: string;

  export = address;
}
