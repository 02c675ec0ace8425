import schema = require("./index");

// All tables at once, for drizzle-kit: it reads what a module exports.
export = schema.tablesInMigrations("postgres");
