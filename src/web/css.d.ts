/** Style sheets, which the bundle takes from the modules that import them. */
declare module "*.css";
