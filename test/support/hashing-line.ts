import { fullPasswordCosts } from "../../src/sign-in/passwords";
import { makeWorld, type World } from "./world";

/**
 * A world where one password is hashed at a time, as slowly as in the product, and few may wait.
 * Requests of one moment are refused where their passwords are hashed.
 */
export const makeWorldWithLineOf = (waitingMax: number): Promise<World> =>
  makeWorld(
    { password_hashes_at_once: "1", password_checks_waiting_max: String(waitingMax) },
    undefined,
    fullPasswordCosts,
  );
